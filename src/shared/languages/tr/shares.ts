import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Sizin için bir belge',
  text: 'Biri bu belgeyi sizinle paylaştı ve ne zaman açıldığını görür.',
  passcodeText: 'Size verilen erişim kodunu girin.',
  passcode: 'Erişim kodu',
  passcodeWrong: 'Erişim kodu yanlış.',
  passcodeBusy: 'Şu anda başkaları da erişim kodunu giriyor. Birkaç saniye bekleyip yeniden deneyin.',
  views: { one: 'Bir kez daha açılabilir.', other: '{count} kez daha açılabilir.' },
  until: 'Son açılma zamanı: {time}.',
  stale: 'Bu sayfa uzun süre açık kaldı. Lütfen düğmeye yeniden basın.',
  goneText: 'Böyle bir bağlantı yok veya kapatılmış. Bağlantının tamamının elinizde olduğunu kontrol edin.',
  expiredTitle: 'Bu bağlantının süresi dolmuş',
  expiredText: 'Artık hiçbir şey açmaz. Gönderen kişiden yenisini isteyin.',
  usedTitle: 'Bu bağlantının hakkı dolmuş',
  usedText: 'Yalnızca belirli sayıda açılabiliyordu. Gönderen kişiden yenisini isteyin.',
  pasteTitle: 'Paylaşılan bir belgeyi aç',
  pasteText: 'Size gönderilen bağlantının tamamını yapıştırın.',
  pasteLabel: 'Bağlantı',
  pasteButton: 'Devam',
  sectionTitle: 'Açılabilecek belgeler',
  unnamed: 'Bir belge',
};
