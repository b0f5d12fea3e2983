import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'تاريخ الميلاد',
  died: 'تاريخ الوفاة',
  storyTitle: 'قصة حياة',
  storyMore: 'قراءة القصة كاملة',
  storyPart: 'الجزء {part} من {count}',
  storyNext: 'متابعة القراءة',
  storyBefore: 'الجزء السابق',
  backToPage: 'العودة إلى الصفحة',
  placesTitle: 'الأماكن',
  placeKinds: {
    BIRTH: 'مكان الميلاد',
    HOME: 'المنزل',
    DEATH: 'مكان الوفاة',
    GRAVE: 'المثوى الأخير',
  },
  guestBookTitle: 'دفتر الزوار',
  guestBookMore: 'كل الكلمات',
  guestBookOlder: 'كلمات أقدم',
  guestBookNameless: 'أحد الزوار',
  signTitle: 'الكتابة في دفتر الزوار',
  signText: 'تقرأ العائلة ما تكتبه أولًا، وبعد موافقتها يمكن لكل من يأتي إلى هنا قراءته.',
  signLabel: 'كلمتك',
  signEmpty: 'يُرجى كتابة شيء ما. لم يُرسل شيء بعد.',
  signClosed: 'لم يُرسل شيء. لا يستقبل دفتر الزوار هذا أي كلمات.',
  signDone: 'شكرًا لك. ستظهر كلمتك هنا بعد موافقة العائلة.',
};
