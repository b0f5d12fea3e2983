import { DAY_SECONDS, type DurationUnit, formatDuration, HOUR_SECONDS, MINUTE_SECONDS } from './durations.ts';

export const LIFETIMES_SECONDS = {
  accessToken: 15 * MINUTE_SECONDS,
  /** A session lasts as long as its newest token, at most until `maxSession` after its login. */
  refreshToken: 30 * DAY_SECONDS,
  maxSession: 180 * DAY_SECONDS,
  /** In enterprise mode, where a session ends with its first refresh token. */
  enterpriseAccessToken: 5 * MINUTE_SECONDS,
  enterpriseSession: 12 * HOUR_SECONDS,
  /** Session in enterprise mode without requests. */
  idleSession: 15 * MINUTE_SECONDS,
  /** Maximum age of a login that changes what gives access, or exports or erases the account. */
  freshSession: 10 * MINUTE_SECONDS,
  deviceToken: 180 * DAY_SECONDS,
  /** Unless its user asks for another expiry. */
  apiKey: 365 * DAY_SECONDS,
  /** Time in which the token of an API key, or the secret of a webhook endpoint, still works after its rotation. */
  rotationOverlap: DAY_SECONDS,
  maxRotationOverlap: 7 * DAY_SECONDS,
  /** Time for which a revoked or expired key is still listed. */
  endedApiKey: 90 * DAY_SECONDS,
  pendingLogin: 5 * MINUTE_SECONDS,
  enrollment: 15 * MINUTE_SECONDS,
  /** Checkout page; below the 24 hours that providers allow. */
  checkout: 23 * HOUR_SECONDS,
  changePreview: 30 * MINUTE_SECONDS,
  oneTimeCode: 10 * MINUTE_SECONDS,
  passwordResetLink: 30 * MINUTE_SECONDS,
  signInAttempt: 10 * MINUTE_SECONDS,
  signInCode: MINUTE_SECONDS,
  providerDiscovery: HOUR_SECONDS,
  /** Link that marks a phone as the owner's, and its cookie. */
  testLink: 30 * MINUTE_SECONDS,
  ownerPhone: 180 * DAY_SECONDS,
  /** Lets a guest read, unlock or report their scan. */
  scanToken: 7 * DAY_SECONDS,
  /** Time after a scan in which positions can be added. */
  scanTrail: DAY_SECONDS,
  geocodedCell: 90 * DAY_SECONDS,
  finderForm: 2 * HOUR_SECONDS,
  /** Form of a page for owners. */
  ownerForm: 12 * HOUR_SECONDS,
  /** What somebody without an account filled in for a code. */
  codeDraft: DAY_SECONDS,
  documentTicket: 5 * MINUTE_SECONDS,
  shareLinkCookie: DAY_SECONDS,
  maxShareLink: 366 * DAY_SECONDS,
  enterpriseHealthShare: 7 * DAY_SECONDS,
  /** Shows PIN-protected pictures after the PIN. */
  pictureTicket: 2 * HOUR_SECONDS,
  /** Age below which an account is new; see URL_PAGE. */
  newAccount: 14 * DAY_SECONDS,
  conversation: 90 * DAY_SECONDS,
  /** Link of a mail about a notification. */
  ownerLink: 7 * DAY_SECONDS,
  /** On the phone of an owner who opened the link of a mail. */
  ownerLinkCookie: HOUR_SECONDS,
  /** Link of a mail to a report on scans. */
  reportLink: 7 * DAY_SECONDS,
  /** In the browser: when the first page of an account was opened last. */
  homeVisit: 90 * DAY_SECONDS,
  idempotentResponse: 24 * HOUR_SECONDS,
  breakGlass: 15 * MINUTE_SECONDS,
  /** In which owners can restore a deleted organization. */
  deletedOrganization: 7 * DAY_SECONDS,
  /** Link of an email that invites to an organization. */
  invitation: 7 * DAY_SECONDS,
  /** Time for which an invitation is kept after its link has expired. */
  expiredInvitation: 30 * DAY_SECONDS,
  deletedQrCode: 30 * DAY_SECONDS,
  deletedDocument: 30 * DAY_SECONDS,
  deletedGuestBookEntry: 30 * DAY_SECONDS,
  /** For an undo. */
  deletedSavedView: DAY_SECONDS,
  /** In which whoever claimed a tag can give it back. */
  claimUndo: DAY_SECONDS,
  /** For an undo. */
  deletedFolder: DAY_SECONDS,
  /** For an undo. */
  deletedPicture: DAY_SECONDS,
  /** For an undo. */
  foundItemReport: 7 * DAY_SECONDS,
  /** Until a silent instance counts as gone; longer than any transaction. */
  instanceHeartbeat: 15,
  /** Time for which lists report that a record was deleted. */
  deletedRecord: 30 * DAY_SECONDS,
  readNotification: 90 * DAY_SECONDS,
  unreadNotification: 365 * DAY_SECONDS,
  /** Event of an account, with its deliveries. */
  accountEvent: 30 * DAY_SECONDS,
  /** Time in which a socket can fetch events that it missed. */
  realtimeEvent: 7 * DAY_SECONDS,
  /** Event of the payment provider. */
  paymentEvent: 90 * DAY_SECONDS,
  failedJob: 30 * DAY_SECONDS,
  dataExport: 7 * DAY_SECONDS,
  finishedImport: 7 * DAY_SECONDS,
  printSheet: 7 * DAY_SECONDS,
  codeMove: 7 * DAY_SECONDS,
  /** Upload whose columns are not mapped yet. */
  importDraft: DAY_SECONDS,
  /** Slot for an immediate archive, where it is not released. */
  exportSlot: 10 * MINUTE_SECONDS,
} as const;

/** Format a lifetime for texts in English. */
export function formatLifetime(name: keyof typeof LIFETIMES_SECONDS, unit?: DurationUnit): string {
  return formatDuration(LIFETIMES_SECONDS[name], unit);
}

/** Age of invoices that are compared with the payment provider: refunds and disputes come for months. */
export const MAX_RECONCILED_INVOICE_AGE_DAYS = 120;
