const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long everything lasts that ends by itself, in seconds. */
export const LIFETIMES = {
  accessToken: 15 * MINUTE,
  /** Of each token; a session lasts as long as its newest. */
  refreshToken: 30 * DAY,
  oneTimeCode: 10 * MINUTE,
  passwordResetLink: 30 * MINUTE,
  /** The link that marks a phone as the owner's, and the mark itself. */
  testLink: 30 * MINUTE,
  ownerPhone: 180 * DAY,
  /** What a guest's scan can be read, unlocked or reported by. */
  scanToken: 7 * DAY,
  finderForm: 2 * HOUR,
  /** The first answer to a request with an Idempotency-Key. */
  storedAnswer: 24 * HOUR,
  /** A deleted QR code, until it cannot be brought back. */
  deletedQrCode: 30 * DAY,
  /** A finished archive of a person's data. */
  dataExport: 7 * DAY,
  /** How long ago a log-in may be where somebody asks for all that is theirs, or for its end. */
  freshLogin: 15 * MINUTE,
} as const;
