export const pushes = {
  QR_CODE_SCANNED: 'Uno dei suoi codici è stato scansionato',
  LOST_CODE_SCANNED: 'Smarrito: uno dei suoi codici è stato scansionato',
  SCAN_LOCATED: 'Chi ha scansionato uno dei suoi codici ha indicato dove si trova',
  MESSAGE_RECEIVED: 'Chi ha scansionato uno dei suoi codici le ha scritto',
  PIN_REJECTED: 'PIN sbagliati per uno dei suoi codici',
  CODE_EXPIRING: 'Uno dei suoi codici scade presto',
  CODE_EXPIRED: 'Uno dei suoi codici è scaduto',
  DOCUMENT_OPENED: 'Uno dei suoi documenti è stato aperto',
  PASSCODE_REJECTED: 'Codici di accesso sbagliati per uno dei suoi documenti',
  ABOUT_A_CODE: 'Novità su uno dei suoi codici',
  ABOUT_SUBSCRIPTION: 'Novità sul suo abbonamento',
  SUBSCRIPTION_NEEDS_YOU: 'Il suo abbonamento richiede la sua attenzione',
};
