/** What a push says of a code whose title is not for a locked screen: nothing by which it could be told from others. */
export const pushes = {
  QR_CODE_SCANNED: 'One of your codes was scanned',
  LOST_CODE_SCANNED: 'Lost: one of your codes was scanned',
  SCAN_LOCATED: 'Somebody who scanned one of your codes shared where they are',
  MESSAGE_RECEIVED: 'Somebody who scanned one of your codes wrote to you',
  PIN_REJECTED: 'Wrong PINs for one of your codes',
  CODE_EXPIRING: 'One of your codes ends soon',
  CODE_EXPIRED: 'One of your codes has ended',
  DOCUMENT_INFECTED: 'A file of one of your documents was removed',
  DOCUMENT_EXPIRING: 'One of your documents expires soon',
  DOCUMENT_EXPIRED: 'One of your documents expires now',
  ABOUT_A_CODE: 'News about one of your codes',
  ABOUT_SUBSCRIPTION: 'News about your subscription',
  SUBSCRIPTION_NEEDS_YOU: 'Your subscription needs your attention',
} as const;
