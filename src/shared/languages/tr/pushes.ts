export const pushes = {
  QR_CODE_SCANNED: 'Kodlarınızdan biri tarandı',
  LOST_CODE_SCANNED: 'Kayıp: Kodlarınızdan biri tarandı',
  SCAN_LOCATED: 'Kodlarınızdan birini tarayan biri nerede olduğunu bildirdi',
  MESSAGE_RECEIVED: 'Kodlarınızdan birini tarayan biri size yazdı',
  PIN_REJECTED: 'Kodlarınızdan biri için yanlış PIN',
  CODE_EXPIRING: 'Kodlarınızdan birinin süresi yakında doluyor',
  CODE_EXPIRED: 'Kodlarınızdan birinin süresi doldu',
  DOCUMENT_OPENED: 'Belgelerinizden biri açıldı',
  PASSCODE_REJECTED: 'Belgelerinizden biri için yanlış erişim kodları',
  ABOUT_A_CODE: 'Kodlarınızdan biriyle ilgili bir gelişme var',
  ABOUT_SUBSCRIPTION: 'Aboneliğinizle ilgili bir gelişme var',
  SUBSCRIPTION_NEEDS_YOU: 'Aboneliğiniz ilginizi bekliyor',
};
