import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Data urodzenia',
  died: 'Data śmierci',
  storyTitle: 'Historia życia',
  storyMore: 'Przeczytaj całą historię',
  storyPart: 'Część {part} z {count}',
  storyNext: 'Czytaj dalej',
  storyBefore: 'Poprzednia część',
  backToPage: 'Wróć do strony',
  placesTitle: 'Miejsca',
  placeKinds: {
    BIRTH: 'Miejsce urodzenia',
    HOME: 'Dom',
    DEATH: 'Miejsce śmierci',
    GRAVE: 'Miejsce spoczynku',
  },
  pictureMissing: 'Brakuje tu zdjęcia {number}: nie udało się go odczytać podczas tworzenia tej strony.',
  guestBookTitle: 'Księga gości',
  guestBookMore: 'Wszystkie wpisy',
  guestBookOlder: 'Starsze wpisy',
  guestBookNameless: 'Wpis bez podpisu',
  signTitle: 'Wpisz się do księgi gości',
  signText:
    'To, co napiszesz, najpierw przeczyta rodzina. Za jej zgodą przeczyta to każdy, kto tu przyjdzie.',
  signLabel: 'Twój wpis',
  signEmpty: 'Napisz coś, proszę. Niczego jeszcze nie wysłano.',
  signClosed: 'Niczego nie wysłano. Ta księga gości nie przyjmuje wpisów.',
  signDone: 'Dziękujemy. Twój wpis pojawi się tutaj, gdy rodzina wyrazi zgodę.',
};
