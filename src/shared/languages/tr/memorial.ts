import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Doğum tarihi',
  died: 'Ölüm tarihi',
  storyTitle: 'Bir hayatın hikâyesi',
  storyMore: 'Hikâyenin tamamını okuyun',
  storyPart: 'Bölüm {part} / {count}',
  storyNext: 'Okumaya devam edin',
  storyBefore: 'Önceki bölüm',
  backToPage: 'Sayfaya dönün',
  placesTitle: 'Yerler',
  placeKinds: {
    BIRTH: 'Doğum yeri',
    HOME: 'Ev',
    DEATH: 'Ölüm yeri',
    GRAVE: 'Ebedi istirahat yeri',
  },
  guestBookTitle: 'Ziyaretçi defteri',
  guestBookMore: 'Tüm yazılar',
  guestBookOlder: 'Daha eski yazılar',
  guestBookNameless: 'Bir ziyaretçi',
  signTitle: 'Ziyaretçi defterine yazın',
  signText: 'Yazdıklarınızı önce aile okur. Aile onaylarsa buraya gelen herkes okuyabilir.',
  signLabel: 'Yazınız',
  signEmpty: 'Lütfen bir şey yazın. Henüz bir şey gönderilmedi.',
  signClosed: 'Bir şey gönderilmedi. Bu ziyaretçi defteri yazı kabul etmiyor.',
  signDone: 'Teşekkürler. Yazınız, aile onayladığında burada okunabilir.',
};
