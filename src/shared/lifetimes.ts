const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long everything lasts that ends by itself, in seconds. */
export const LIFETIMES_SECONDS = {
  accessToken: 15 * MINUTE_SECONDS,
  /** Of each token; a session lasts as long as its newest. */
  refreshToken: 30 * DAY_SECONDS,
  /** The same in enterprise mode, where a session lasts no longer than its first refresh token. */
  enterpriseAccessToken: 5 * MINUTE_SECONDS,
  enterpriseSession: 12 * HOUR_SECONDS,
  /** Of a session in enterprise mode without a request. */
  idleSession: 15 * MINUTE_SECONDS,
  /** How long after its log-in a session may stand for a password that somebody does not have. */
  freshSession: 10 * MINUTE_SECONDS,
  /** What marks a device as one from which somebody logged in. */
  deviceToken: 180 * DAY_SECONDS,
  /** Between the first step of a log-in and its second factor. */
  pendingLogin: 5 * MINUTE_SECONDS,
  /** From the secret of a second factor to its first code. */
  enrollment: 15 * MINUTE_SECONDS,
  /** Of a page to pay on: below the day that providers allow at the most. */
  checkout: 23 * HOUR_SECONDS,
  /** For how long a change of a subscription costs what was previewed. */
  changePreview: 30 * MINUTE_SECONDS,
  oneTimeCode: 10 * MINUTE_SECONDS,
  passwordResetLink: 30 * MINUTE_SECONDS,
  /** From the way to an identity provider until its answer. */
  signInAttempt: 10 * MINUTE_SECONDS,
  /** What a front end changes for tokens after a sign-in by a provider. */
  signInCode: MINUTE_SECONDS,
  /** What is known of a provider's addresses, until it is asked again. */
  providerDiscovery: HOUR_SECONDS,
  /** The link that marks a phone as the owner's, and the mark itself. */
  testLink: 30 * MINUTE_SECONDS,
  ownerPhone: 180 * DAY_SECONDS,
  /** What a guest's scan can be read, unlocked or reported by. */
  scanToken: 7 * DAY_SECONDS,
  /** How long after a scan its trail can grow. */
  scanTrail: DAY_SECONDS,
  /** What a geocoding server said of a cell. */
  geocodedCell: 90 * DAY_SECONDS,
  finderForm: 2 * HOUR_SECONDS,
  /** What an opening of a share gives. */
  documentTicket: 5 * MINUTE_SECONDS,
  /** What a browser keeps in place of the token of a share. */
  shareLinkCookie: DAY_SECONDS,
  maxShareLink: 366 * DAY_SECONDS,
  /** Of a link to a health document in enterprise mode. */
  enterpriseHealthShare: 7 * DAY_SECONDS,
  /** What pictures behind a PIN are shown by, once it was given. */
  pictureTicket: 2 * HOUR_SECONDS,
  /** How long an account is young: see the setting URL_PAGE. */
  newAccount: 14 * DAY_SECONDS,
  /** A conversation after its last message. */
  conversation: 90 * DAY_SECONDS,
  /** The first answer to a request with an Idempotency-Key. */
  idempotentResponse: 24 * HOUR_SECONDS,
  /** How long an administrator reads a record in an emergency. */
  breakGlass: 15 * MINUTE_SECONDS,
  /** A deleted QR code, until it cannot be brought back. */
  deletedQrCode: 30 * DAY_SECONDS,
  /** What an instance last said of its encryption keys, until it counts as gone; longer than any transaction. */
  instanceHeartbeat: 15,
  /** A finished archive of a person's data. */
  dataExport: 7 * DAY_SECONDS,
  /** The turn to wait for an archive that is made at once, where nobody gives it back. */
  exportSlot: 10 * MINUTE_SECONDS,
  /** How long ago a log-in may be where somebody asks for all that is theirs, or for its end. */
  freshLogin: 15 * MINUTE_SECONDS,
} as const;
