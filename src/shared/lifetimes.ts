const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long everything lasts that ends by itself, in seconds. */
export const LIFETIMES = {
  accessToken: 15 * MINUTE,
  /** Of each token; a session lasts as long as its newest. */
  refreshToken: 30 * DAY,
  /** The same in enterprise mode, where a session lasts no longer than its first refresh token. */
  enterpriseAccessToken: 5 * MINUTE,
  enterpriseSession: 12 * HOUR,
  /** Of a session in enterprise mode without a request. */
  idleSession: 15 * MINUTE,
  /** How long after its log-in a session may stand for a password that somebody does not have. */
  freshSession: 10 * MINUTE,
  /** What marks a device as one from which somebody logged in. */
  deviceToken: 180 * DAY,
  /** Between the first step of a log-in and its second factor. */
  pendingLogin: 5 * MINUTE,
  /** From the secret of a second factor to its first code. */
  enrollment: 15 * MINUTE,
  /** Of a page to pay on: below the day that providers allow at the most. */
  checkout: 23 * HOUR,
  /** For how long a change of a subscription costs what was previewed. */
  changePreview: 30 * MINUTE,
  oneTimeCode: 10 * MINUTE,
  passwordResetLink: 30 * MINUTE,
  /** From the way to an identity provider until its answer. */
  signInAttempt: 10 * MINUTE,
  /** What a front end changes for tokens after a sign-in by a provider. */
  signInCode: MINUTE,
  /** What is known of a provider's addresses, until it is asked again. */
  providerDiscovery: HOUR,
  /** The link that marks a phone as the owner's, and the mark itself. */
  testLink: 30 * MINUTE,
  ownerPhone: 180 * DAY,
  /** What a guest's scan can be read, unlocked or reported by. */
  scanToken: 7 * DAY,
  /** How long after a scan its trail can grow. */
  scanTrail: DAY,
  /** What a geocoding server said of a cell. */
  geocodedCell: 90 * DAY,
  finderForm: 2 * HOUR,
  /** What an opening of a share gives. */
  documentTicket: 5 * MINUTE,
  /** What a browser keeps in place of the token of a share. */
  sharePass: DAY,
  longestShare: 366 * DAY,
  /** Of a link to a health document in enterprise mode. */
  enterpriseHealthShare: 7 * DAY,
  /** What pictures behind a PIN are shown by, once it was given. */
  pictureTicket: 2 * HOUR,
  /** How long an account is young: see the setting URL_PAGE. */
  youngAccount: 14 * DAY,
  /** A conversation after its last message. */
  conversation: 90 * DAY,
  /** The first answer to a request with an Idempotency-Key. */
  storedAnswer: 24 * HOUR,
  /** How long an administrator reads a record in an emergency. */
  breakGlass: 15 * MINUTE,
  /** A deleted QR code, until it cannot be brought back. */
  deletedQrCode: 30 * DAY,
  /** What an instance last said of its encryption keys, until it counts as gone; longer than any transaction. */
  keyNote: 15,
  /** A finished archive of a person's data. */
  dataExport: 7 * DAY,
  /** The turn to wait for an archive that is made at once, where nobody gives it back. */
  exportTurn: 10 * MINUTE,
  /** How long ago a log-in may be where somebody asks for all that is theirs, or for its end. */
  freshLogin: 15 * MINUTE,
} as const;
