import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'תאריך לידה',
  died: 'תאריך פטירה',
  storyTitle: 'סיפור חיים',
  storyMore: 'לקריאת הסיפור המלא',
  storyPart: 'חלק {part} מתוך {count}',
  storyNext: 'המשך קריאה',
  storyBefore: 'החלק הקודם',
  backToPage: 'חזרה לדף',
  placesTitle: 'מקומות',
  placeKinds: {
    BIRTH: 'מקום לידה',
    HOME: 'בית',
    DEATH: 'מקום פטירה',
    GRAVE: 'מקום מנוחה',
  },
  guestBookTitle: 'ספר מבקרים',
  guestBookMore: 'כל הרשומות',
  guestBookOlder: 'רשומות ישנות יותר',
  guestBookNameless: 'ביקור ללא שם',
  signTitle: 'כתיבה בספר המבקרים',
  signText: 'המשפחה קוראת קודם את מה שתכתבו. לאחר אישורה, כל מי שיגיע לכאן יוכל לקרוא זאת.',
  signLabel: 'הדברים שלכם',
  signEmpty: 'נא לכתוב משהו. עדיין לא נשלח דבר.',
  signClosed: 'לא נשלח דבר. ספר המבקרים הזה אינו מקבל רשומות.',
  signDone: 'תודה. הדברים שלכם יופיעו כאן לאחר שהמשפחה תאשר.',
};
