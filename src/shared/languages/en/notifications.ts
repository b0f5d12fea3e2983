/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '“{code}” was scanned', body: 'Your code “{code}” was scanned.' },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}” was scanned',
    body: 'Your code “{code}” was scanned near {place}.',
  },
  LOST_CODE_SCANNED: { title: 'Lost: “{code}” was scanned', body: 'Your code “{code}” was scanned.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Lost: “{code}” was scanned',
    body: 'Your code “{code}” was scanned near {place}.',
  },
  SCAN_LOCATED: {
    title: 'A location for “{code}”',
    body: 'Somebody who scanned your code “{code}” shared where they are.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'A location for “{code}”',
    body: 'Somebody who scanned your code “{code}” shared where they are, near {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'A message about “{code}”',
    body: 'Somebody who scanned your code “{code}” wrote to you.',
  },
  PIN_REJECTED: {
    title: 'Wrong PINs for “{code}”',
    body: 'Somebody entered wrong PINs for your code “{code}”. What the PIN protects was not shown.',
  },
  GUEST_BOOK_SIGNED: {
    title: 'An entry in the guest book of {remembered}',
    body: 'A visitor wrote in the guest book of {remembered}. It is shown there once you approve it.',
  },
  CARETAKER_NAMED: {
    title: 'You may help with a memory tag',
    body: 'Somebody lets you help with a memory tag: with its texts, its pictures and its guest book. It is in your list of memory tags from others.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: a birthday to remember',
    body: 'Date of birth of {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: a day of remembrance',
    body: 'Date of death of {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: '“{code}” ends soon',
    body: 'Your code “{code}” ends on {date}. Then it shows nothing any more.',
  },
  CODE_EXPIRED: {
    title: '“{code}” has ended',
    body: 'Your code “{code}” has ended and shows nothing any more.',
  },
  DOCUMENT_INFECTED: {
    title: 'A file of “{document}” was removed',
    body: 'Malware was found in a file of your document “{document}”, and the file was removed. Please check the device that it came from.',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}” expires soon',
    body: 'Your document “{document}” is valid until {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}” expires on {date}',
    body: 'Your document “{document}” is valid until {date}.',
  },
  DOCUMENT_OPENED: {
    title: '“{document}” was opened',
    body: 'Somebody opened your document “{document}”. The document’s list of readings says by what.',
  },
  DOCUMENT_GIVEN: {
    title: 'You were given a document to read',
    body: 'Somebody gave you a document to read. It is in your list of documents from others.',
  },
  PASSCODE_REJECTED: {
    title: 'Wrong passcodes for “{document}”',
    body: 'Somebody entered wrong passcodes for a link to your document “{document}”. It was not opened.',
  },
  SCANS_DIGEST: {
    title: { one: 'One scan of your codes', other: '{count} scans of your codes' },
    body: 'Since {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Your subscription has started',
    body: 'You have the package “{package}” now. Thank you.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Your subscription was changed',
    body: 'You have the package “{package}” now.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Your subscription ends on {date}',
    body: 'The package “{package}” ends with the period that is paid for; until then you can still keep it. Your codes keep working either way.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Your subscription has ended',
    body: 'The package “{package}” has ended. Codes that you have printed keep working; what is beyond the free package can only be read from now on.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Your subscription is paused',
    body: 'The package “{package}” is paused. Codes that you have printed keep working.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Your subscription goes on',
    body: 'You have the package “{package}” again.',
  },
  TRIAL_ENDING: {
    title: 'Your trial ends on {date}',
    body: 'From then on the package “{package}” is charged for, unless you cancel it before.',
  },
  PAYMENT_RECEIVED: {
    title: 'We received your payment of {amount}',
    body: 'Thank you. You paid {amount} for “{package}”, {period}. All your invoices are in your account, under “Subscription”.',
  },
  PAYMENT_FAILED: {
    title: 'Your payment of {amount} failed',
    body: 'We could not collect {amount} for “{package}”. Please check your means of payment in your account, under “Subscription”. Codes that you have printed keep working.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Please confirm a payment of {amount}',
    body: 'Your bank wants you to confirm the payment of {amount} for “{package}”. Open the invoice in your account, under “Subscription”.',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} paid back',
    body: 'We paid {amount} for “{package}” back to you. It can take some days until you see it in your bank account.',
  },
  PAYMENT_DISPUTED: {
    title: 'A payment of {amount} is disputed',
    body: 'Your bank is asking for the {amount} for “{package}” back. If that is a mistake, please tell your bank.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'One scan of your codes', other: '{count} scans of your codes' },
    body: 'Since {time}: {codes}. The newest place: {place}.',
  },
  NEW_LOGIN: {
    title: 'New log-in',
    body: 'Somebody logged in to your account. If it was not you, change your password and end the session.',
  },
  PASSWORD_CHANGED: {
    title: 'Your password was changed',
    body: 'Every other session was ended. If it was not you, ask for a new password at once.',
  },
  SECOND_FACTOR_ON: {
    title: 'Second factor switched on',
    body: 'Every other session was ended. If it was not you, change your password.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Second factor switched off',
    body: 'Every other session was ended. If it was not you, change your password.',
  },
  ROLE_CHANGED: {
    title: 'Your role was changed',
    body: 'An administrator changed your role to {role}.',
  },
  GLASS_BROKEN: {
    title: 'An administrator opened a record of yours',
    body: 'It can be read for a quarter of an hour, for an emergency that was stated. Who read what is in your audit list.',
  },
} as const;
