export const pushes = {
  QR_CODE_SCANNED: 'Een van uw codes is gescand',
  LOST_CODE_SCANNED: 'Vermist: een van uw codes is gescand',
  SCAN_LOCATED: 'Iemand die een van uw codes heeft gescand, deelt een locatie met u',
  MESSAGE_RECEIVED: 'Iemand die een van uw codes heeft gescand, heeft u geschreven',
  PIN_REJECTED: 'Verkeerde pincodes voor een van uw codes',
  CODE_EXPIRING: 'Een van uw codes verloopt binnenkort',
  CODE_EXPIRED: 'Een van uw codes is verlopen',
  DOCUMENT_OPENED: 'Een van uw documenten is geopend',
  PASSCODE_REJECTED: 'Verkeerde toegangscodes voor een van uw documenten',
  ABOUT_A_CODE: 'Nieuws over een van uw codes',
  ABOUT_SUBSCRIPTION: 'Nieuws over uw abonnement',
  SUBSCRIPTION_NEEDS_YOU: 'Uw abonnement vraagt uw aandacht',
};
