export const pushes = {
  QR_CODE_SCANNED: 'נסרק אחד הקודים שלכם',
  LOST_CODE_SCANNED: 'אבדה: נסרק אחד הקודים שלכם',
  SCAN_LOCATED: 'מי שסרק את אחד הקודים שלכם שיתף את המיקום שלו',
  MESSAGE_RECEIVED: 'מי שסרק את אחד הקודים שלכם כתב לכם',
  PIN_REJECTED: 'קודי PIN שגויים לאחד הקודים שלכם',
  CODE_EXPIRING: 'התוקף של אחד הקודים שלכם עומד לפוג',
  CODE_EXPIRED: 'התוקף של אחד הקודים שלכם פג',
  DOCUMENT_OPENED: 'אחד המסמכים שלכם נפתח',
  PASSCODE_REJECTED: 'קודי גישה שגויים לאחד המסמכים שלכם',
  ABOUT_A_CODE: 'עדכון לגבי אחד הקודים שלכם',
  ABOUT_SUBSCRIPTION: 'עדכון לגבי המינוי שלכם',
  SUBSCRIPTION_NEEDS_YOU: 'המינוי שלכם דורש את תשומת לבכם',
};
