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
  CODE_EXPIRING: {
    title: '“{code}” ends soon',
    body: 'Your code “{code}” ends on {date}. Then it shows nothing any more.',
  },
  CODE_EXPIRED: {
    title: '“{code}” has ended',
    body: 'Your code “{code}” has ended and shows nothing any more.',
  },
  SCANS_DIGEST: {
    title: { one: 'One scan of your codes', other: '{count} scans of your codes' },
    body: 'Since {time}: {codes}.',
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
