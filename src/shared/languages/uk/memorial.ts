import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Дата народження',
  died: 'Дата смерті',
  storyTitle: 'Історія життя',
  storyMore: 'Прочитати всю історію',
  storyPart: 'Частина {part} з {count}',
  storyNext: 'Читати далі',
  storyBefore: 'Попередня частина',
  backToPage: 'Повернутися до сторінки',
  placesTitle: 'Місця',
  placeKinds: {
    BIRTH: 'Місце народження',
    HOME: 'Дім',
    DEATH: 'Місце смерті',
    GRAVE: 'Місце спочинку',
  },
  pictureMissing: 'Тут бракує світлини {number}: її не вдалося прочитати під час створення цієї сторінки.',
  guestBookTitle: 'Книга відвідувачів',
  guestBookMore: 'Усі записи',
  guestBookOlder: 'Старіші записи',
  guestBookNameless: 'Запис без підпису',
  signTitle: 'Написати в книзі відвідувачів',
  signText:
    'Те, що ви напишете, спершу прочитає родина. За її згоди це зможуть прочитати всі, хто сюди приходить.',
  signLabel: 'Ваш запис',
  signEmpty: 'Будь ласка, напишіть щось. Ще нічого не надіслано.',
  signClosed: 'Нічого не надіслано. Ця книга відвідувачів не приймає записів.',
  signDone: 'Дякуємо. Ваш запис можна буде прочитати тут, щойно родина погодиться.',
};
