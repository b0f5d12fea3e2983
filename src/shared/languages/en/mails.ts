/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails = {
  OTP: {
    subject: '{otp} is your confirmation code',
    lines: [
      'Your confirmation code: {otp}',
      'It is for the registration of {time}, with the password given then. It works once, within {minutes} minutes.',
      'If you did not register at that time, ignore this mail and give the code to nobody: whoever has it can open an account for your address.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} is your confirmation code: please choose',
    or: '{one} or {other}',
    choice: '{otp} for the registration of {time}',
    lines: [
      'This address was registered several times, with different passwords. Enter the code of your own registration, by its time:',
      'The code that you enter decides which password opens the account. It works once, within {minutes} minutes.',
      'If a registration is not yours, do not enter its code and give it to nobody: whoever registered would know the password. If none is, ignore this mail.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'You already have an account',
    lines: [
      'Somebody, perhaps you, tried to register this address. It has an account already; nothing was changed.',
      'If you forgot your password, ask for a new one where you log in.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Choose a new password',
    lines: [
      'Somebody, perhaps you, asked for a new password for this address. Follow this link to choose one:',
      '{link}',
      'It works once, within {minutes} minutes. If it was not you, ignore this mail; your password stays.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Your password was replaced',
    lines: [
      'Your password was replaced by way of a link sent to this address, and every session was ended.',
      'If it was not you, ask for a new password at once.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Your password was changed',
    lines: [
      'Your password was changed, and every other session was ended.',
      'If it was not you, ask for a new password at once.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'A session was ended for your safety',
    lines: [
      'A token of one of your sessions was used a second time, which happens when it was copied. The session was ended.',
      'Log in again. If you are not sure who has access to your devices, change your password.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'An administrator opened a record of yours',
    lines: [
      'On {time} an administrator of this service stated an emergency and may read one record of yours for {minutes} minutes.',
      'Log in to see which one: your notifications name it, and your audit list says when it was read. The reason is kept for auditors.',
      'If you do not expect this, ask the operator of the service.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Your account opens by an identity provider now',
    lines: [
      'Somebody who signed in at {provider} with this address, which it has verified, was let into your account. From now on that sign-in opens it.',
      'If it was not you, secure your account at the provider, take the identity off your account, and change your password.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'An identity provider was taken off your account',
    lines: [
      'Signing in at {provider} opens your account no more, and every other session was ended.',
      'If it was not you, ask for a new password at once.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'A second factor was switched on',
    lines: [
      'From now on a code of your authenticator application is needed to log in. Every other session was ended.',
      'Keep the recovery codes where you find them without your phone: each opens the account once.',
      'If it was not you, ask for a new password at once and write to the operator of the service.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Your second factor was switched off',
    lines: [
      'From now on the password alone opens your account. Every other session was ended.',
      'If it was not you, ask for a new password at once, then switch the second factor on again.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'An administrator took the second factor off your account',
    lines: [
      'From now on the password alone opens your account, until you set a second factor up again. Every session was ended.',
      'If you did not ask for it, ask for a new password at once and write to the operator of the service.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'You have new recovery codes',
    lines: [
      'New recovery codes were made for your account; the old ones are void.',
      'If it was not you, ask for a new password at once.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'A recovery code was used to log in',
    lines: [
      'Somebody logged in to your account with one of its recovery codes. Left: {left}.',
      'If it was not you, ask for a new password at once, then make new recovery codes.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Your account is in enterprise mode now',
    lines: [
      'Stricter rules hold for your account from now on: a second factor is needed, and sessions are shorter.',
      'If you have no second factor yet, you are asked to set one up before anything else.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Your account is not in enterprise mode any more',
    lines: [
      'The stricter rules do not hold for your account any more. A second factor stays until you switch it off.',
      'If you did not expect that, write to the operator of the service.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'A log-in from a new device',
    lines: [
      'Somebody, perhaps you, logged in to your account from a device and a network that it was not used from before: {agent}, network {network}, {time}.',
      'If it was not you, choose a new password at once: that ends every session.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'A copy of your data was made',
    lines: [
      'An archive of all your data was made and fetched from your account.',
      'If it was not you, change your password at once.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'A copy of your data was made',
    lines: [
      'The archive of your data that you asked for is ready. Log in and fetch it before {time}; then it is removed.',
      'If it was not you, change your password at once.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Your account was erased',
    lines: [
      'Your account was erased, as you asked: nobody can log in, and your codes show nothing any more. Pictures and what else there is of files are being removed.',
      'This cannot be undone. Your address is free for a new account. This is the last mail you get from us.',
    ],
  },
  NOTIFICATION: {
    open: 'To see more, log in.',
    answer: 'Read and answer without logging in:',
    when: 'Time: {time}',
    page: 'The page of the code, as others see it; opened by this link it counts as no scan:',
    more: 'See more here:',
    unsubscribe: 'No mails of this kind any more:',
    stopTitle: 'No more mails of this kind?',
    stopKind: 'Mails of this kind: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'scans of your codes',
      LOST_CODE_SCANNED: 'scans of a lost code',
      SCAN_LOCATED: 'locations that finders share',
      MESSAGE_RECEIVED: 'messages of finders',
      PIN_REJECTED: 'wrong PINs',
      GUEST_BOOK_SIGNED: 'entries in your guest books',
      BIRTH_ANNIVERSARY: 'birthdays of those whom you remember',
      DEATH_ANNIVERSARY: 'anniversaries of deaths',
      CODE_EXPIRING: 'codes that end soon',
      CODE_EXPIRED: 'codes that have ended',
      DOCUMENT_EXPIRING: 'documents that expire soon',
      DOCUMENT_EXPIRED: 'documents that expire',
      ANSWER_RECEIVED: 'answers to your message',
    },
    damagedTitle: 'This link is damaged',
    damagedText: 'It is not complete, or was changed. Open it again from the mail, as it is there.',
    stop: 'Stop these mails',
    stopped: 'You will get no more mails of this kind.',
  },
  ANSWER_RECEIVED: {
    subject: 'An answer to your message',
    lines: [
      'The owner of the code that you scanned has answered you. Read it here:',
      '{link}',
      'The link is for you alone. On its page you can also say that you want no more mails.',
    ],
  },
} as const;
