export const pushes = {
  QR_CODE_SCANNED: 'Se ha escaneado uno de sus códigos',
  LOST_CODE_SCANNED: 'Perdido: se ha escaneado uno de sus códigos',
  SCAN_LOCATED: 'Quien escaneó uno de sus códigos ha indicado dónde está',
  MESSAGE_RECEIVED: 'Quien escaneó uno de sus códigos le ha escrito',
  PIN_REJECTED: 'PIN incorrectos para uno de sus códigos',
  CODE_EXPIRING: 'Uno de sus códigos caduca pronto',
  CODE_EXPIRED: 'Uno de sus códigos ha caducado',
  DOCUMENT_OPENED: 'Se ha abierto uno de sus documentos',
  PASSCODE_REJECTED: 'Códigos de acceso incorrectos para uno de sus documentos',
  ABOUT_A_CODE: 'Novedades sobre uno de sus códigos',
  ABOUT_SUBSCRIPTION: 'Novedades sobre su suscripción',
  SUBSCRIPTION_NEEDS_YOU: 'Su suscripción requiere su atención',
};
