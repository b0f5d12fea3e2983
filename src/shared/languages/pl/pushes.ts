export const pushes = {
  QR_CODE_SCANNED: 'Zeskanowano jeden z Twoich kodów',
  LOST_CODE_SCANNED: 'Zaginęło: zeskanowano jeden z Twoich kodów',
  SCAN_LOCATED: 'Osoba, która zeskanowała jeden z Twoich kodów, podała, gdzie jest',
  MESSAGE_RECEIVED: 'Osoba, która zeskanowała jeden z Twoich kodów, napisała do Ciebie',
  PIN_REJECTED: 'Błędny PIN do jednego z Twoich kodów',
  CODE_EXPIRING: 'Jeden z Twoich kodów wkrótce wygaśnie',
  CODE_EXPIRED: 'Jeden z Twoich kodów wygasł',
  DOCUMENT_OPENED: 'Otwarto jeden z Twoich dokumentów',
  PASSCODE_REJECTED: 'Błędne kody dostępu do jednego z Twoich dokumentów',
  ABOUT_A_CODE: 'Nowości w sprawie jednego z Twoich kodów',
  ABOUT_SUBSCRIPTION: 'Nowości w sprawie Twojej subskrypcji',
  SUBSCRIPTION_NEEDS_YOU: 'Twoja subskrypcja wymaga uwagi',
};
