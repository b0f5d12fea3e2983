export const returns = {
  paid: {
    title: 'Teşekkür ederiz',
    text: 'Ödemeniz onaylanıyor, bu biraz sürebilir. Paketiniz hazır olur olmaz size haber vereceğiz. Bu sayfayı kapatabilirsiniz.',
  },
  left: {
    title: 'Hiçbir şey satın alınmadı',
    text: 'Sayfadan ödeme yapmadan ayrıldınız, hesabınızdan para çekilmedi. Bu sayfayı kapatabilirsiniz.',
  },
  changed: {
    title: 'İşlem tamam',
    text: 'Değişiklikleriniz kaydedildi. Bu sayfayı kapatabilirsiniz.',
  },
};
