export const pushes = {
  QR_CODE_SCANNED: 'Un de vos codes a été scanné',
  LOST_CODE_SCANNED: 'Perdu : un de vos codes a été scanné',
  SCAN_LOCATED: 'La personne qui a scanné un de vos codes a indiqué où elle est',
  MESSAGE_RECEIVED: 'La personne qui a scanné un de vos codes vous a écrit',
  PIN_REJECTED: 'Codes PIN incorrects pour un de vos codes',
  CODE_EXPIRING: 'Un de vos codes expire bientôt',
  CODE_EXPIRED: 'Un de vos codes a expiré',
  DOCUMENT_OPENED: 'Un de vos documents a été ouvert',
  PASSCODE_REJECTED: 'Codes d’accès incorrects pour un de vos documents',
  ABOUT_A_CODE: 'Du nouveau pour un de vos codes',
  ABOUT_SUBSCRIPTION: 'Du nouveau pour votre abonnement',
  SUBSCRIPTION_NEEDS_YOU: 'Votre abonnement demande votre attention',
};
