export const pushes = {
  QR_CODE_SCANNED: 'Einer Ihrer Codes wurde gescannt',
  LOST_CODE_SCANNED: 'Vermisst: Einer Ihrer Codes wurde gescannt',
  SCAN_LOCATED: 'Jemand hat einen Ihrer Codes gescannt und den eigenen Standort mitgeteilt',
  MESSAGE_RECEIVED: 'Jemand hat einen Ihrer Codes gescannt und Ihnen geschrieben',
  PIN_REJECTED: 'Falsche PINs für einen Ihrer Codes',
  CODE_EXPIRING: 'Einer Ihrer Codes läuft bald ab',
  CODE_EXPIRED: 'Einer Ihrer Codes ist abgelaufen',
  DOCUMENT_OPENED: 'Eines Ihrer Dokumente wurde geöffnet',
  PASSCODE_REJECTED: 'Falsche Zugangscodes für eines Ihrer Dokumente',
  ABOUT_A_CODE: 'Neues zu einem Ihrer Codes',
  ABOUT_SUBSCRIPTION: 'Neues zu Ihrem Abonnement',
  SUBSCRIPTION_NEEDS_YOU: 'Ihr Abonnement braucht Ihre Aufmerksamkeit',
};
