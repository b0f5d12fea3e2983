export const pushes = {
  QR_CODE_SCANNED: 'Um dos seus códigos foi lido',
  LOST_CODE_SCANNED: 'Perdido: um dos seus códigos foi lido',
  SCAN_LOCATED: 'Alguém que leu um dos seus códigos disse onde está',
  MESSAGE_RECEIVED: 'Alguém que leu um dos seus códigos escreveu para você',
  PIN_REJECTED: 'PIN errado em um dos seus códigos',
  CODE_EXPIRING: 'Um dos seus códigos termina em breve',
  CODE_EXPIRED: 'Um dos seus códigos terminou',
  DOCUMENT_OPENED: 'Um dos seus documentos foi aberto',
  PASSCODE_REJECTED: 'Códigos de acesso errados para um dos seus documentos',
  ABOUT_A_CODE: 'Novidades sobre um dos seus códigos',
  ABOUT_SUBSCRIPTION: 'Novidades sobre a sua assinatura',
  SUBSCRIPTION_NEEDS_YOU: 'A sua assinatura precisa da sua atenção',
};
