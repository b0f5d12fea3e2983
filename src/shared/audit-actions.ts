export type Severity = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

export type ResourceType =
  | 'USER'
  | 'SESSION'
  | 'QRCODE'
  | 'SCAN'
  | 'NOTIFICATION'
  | 'MEMORY_TAG'
  | 'SUBSCRIPTION'
  | 'SYSTEM';

interface ActionRow {
  severity: Severity;
  resourceType: ResourceType;
  /** What happened, as a sentence for people. */
  meaning: string;
}

/** Every action the audit trail knows. */
export const AUDIT_ACTIONS = {
  ACCESS_DENIED: row('MEDIUM', 'SYSTEM', 'Somebody asked for what is not theirs or not allowed to them.'),
  DATA_INTEGRITY_FAILED: row('CRITICAL', 'SYSTEM', 'Stored data failed its integrity check.'),

  USER_REGISTERED: row('LOW', 'USER', 'An address was given for a new account.'),
  USER_REGISTRATION_REPEATED: row('LOW', 'USER', 'Somebody registered an address that has an account.'),
  USER_PRIVILEGE_REQUESTED: row('MEDIUM', 'USER', 'A registration asked for rights; they were not given.'),
  OTP_RESENT: row('LOW', 'USER', 'A new one-time code was asked for.'),
  OTP_REJECTED: row('MEDIUM', 'USER', 'A wrong one-time code was entered.'),
  EMAIL_VERIFIED: row('LOW', 'USER', 'An address was confirmed by its one-time code.'),
  PROFILE_CREATED: row('LOW', 'USER', 'A person completed their profile.'),
  PROFILE_READ: row('LOW', 'USER', "An administrator read a person's profile."),
  PROFILE_UPDATED: row('LOW', 'USER', 'A person changed their profile.'),
  PASSWORD_CHANGED: row('HIGH', 'USER', 'A password was changed by its owner.'),
  PASSWORD_CHANGE_REJECTED: row('MEDIUM', 'USER', 'A password was to be changed with a wrong current one.'),
  PASSWORD_RESET_REQUESTED: row('MEDIUM', 'USER', 'A link for a new password was asked for.'),
  PASSWORD_RESET: row('HIGH', 'USER', 'A password was replaced by way of a mailed link.'),
  PASSWORD_RESET_REJECTED: row('MEDIUM', 'USER', 'A link for a new password was not valid.'),
  ADMINISTRATOR_CREATED: row(
    'CRITICAL',
    'USER',
    'An account was made administrator at start or by a command.',
  ),
  DATA_EXPORT_REQUESTED: row('MEDIUM', 'USER', 'A person asked for an archive of their data.'),
  DATA_EXPORTED: row('HIGH', 'USER', 'An archive of all data of a person was made.'),
  DATA_EXPORT_FAILED: row('MEDIUM', 'USER', "An archive of a person's data could not be made."),
  DATA_EXPORT_DOWNLOADED: row('HIGH', 'USER', 'A person fetched the archive of their data.'),
  DATA_EXPORT_REMOVED: row('LOW', 'USER', "An archive of a person's data was removed after its seven days."),
  IDENTITY_PROOF_REJECTED: row(
    'MEDIUM',
    'USER',
    'An export or an erasure was asked for without a fresh proof of who asks.',
  ),
  ACCOUNT_ERASED: row('CRITICAL', 'USER', 'A person erased their account.'),
  ERASURE_FINISHED: row('HIGH', 'SYSTEM', 'The last of what belonged to an erased account was removed.'),
  ROLE_CHANGED: row('CRITICAL', 'USER', "A person's role was changed."),

  LOGIN_SUCCEEDED: row('LOW', 'SESSION', 'A person logged in.'),
  LOGIN_FAILED: row('MEDIUM', 'SESSION', 'A log-in failed.'),
  LOGOUT: row('LOW', 'SESSION', 'A person logged out.'),
  SESSION_REFRESHED: row('LOW', 'SESSION', 'A refresh token was replaced.'),
  SESSION_REVOKED: row('MEDIUM', 'SESSION', 'A person ended one of their sessions.'),
  REFRESH_TOKEN_REUSED: row('HIGH', 'SESSION', 'A replaced refresh token came again; the session was ended.'),

  QRCODE_CREATED: row('LOW', 'QRCODE', 'A QR code was made.'),
  QRCODE_UPDATED: row('LOW', 'QRCODE', 'A QR code was changed.'),
  QRCODE_DELETED: row('MEDIUM', 'QRCODE', 'A QR code was deleted.'),
  QRCODE_RESTORED: row('LOW', 'QRCODE', 'A deleted QR code was brought back.'),
  QRCODE_PURGED: row('MEDIUM', 'QRCODE', 'Content and image of a code deleted long ago were removed.'),
  QRCODE_REPORTED_LOST: row('MEDIUM', 'QRCODE', 'An owner said that the thing is lost.'),
  QRCODE_REPORTED_FOUND: row('LOW', 'QRCODE', 'An owner said that the thing is found.'),
  QRCODE_TEST_LINK_CREATED: row('LOW', 'QRCODE', 'An owner asked for a link to try a code.'),
  QRCODE_TEST_LINK_USED: row('LOW', 'QRCODE', 'A phone was marked as its owner’s by a test link.'),
  QRCODE_IMAGES_REBUILT: row('MEDIUM', 'QRCODE', 'Images were drawn again by a command.'),
  MEDICAL_DATA_READ: row('MEDIUM', 'QRCODE', 'The owner read the content of a medical code.'),
  MEDICAL_DATA_SCANNED: row('MEDIUM', 'QRCODE', 'A scan showed content of a medical code.'),

  PIN_REJECTED: row('MEDIUM', 'SCAN', 'A wrong PIN was given for a code.'),
  SCAN_UNLOCKED: row('LOW', 'SCAN', 'The right PIN was given for an existing scan.'),

  NOTIFICATION_READ: row('LOW', 'NOTIFICATION', 'A notification was marked as read.'),
  NOTIFICATIONS_READ_ALL: row('LOW', 'NOTIFICATION', 'All notifications were marked as read.'),
  NOTIFICATION_DELETED: row('LOW', 'NOTIFICATION', 'A notification was deleted.'),

  MEMORY_TAG_CREATED: row('LOW', 'MEMORY_TAG', 'A memory tag was made.'),
  MEMORY_TAG_UPDATED: row('LOW', 'MEMORY_TAG', 'A memory tag was changed.'),
  MEMORY_TAG_DELETED: row('MEDIUM', 'MEMORY_TAG', 'A memory tag was deleted.'),

  ADMIN_USERS_LISTED: row('HIGH', 'USER', 'An administrator listed people.'),
  ADMIN_QRCODES_LISTED: row('HIGH', 'QRCODE', 'An administrator listed QR codes.'),
  ADMIN_SCAN_READ: row('HIGH', 'SCAN', 'An administrator read a scan, without its exact position.'),
  ADMIN_ANALYTICS_READ: row('HIGH', 'SYSTEM', 'An administrator read counts over the whole service.'),
} as const satisfies Record<string, ActionRow>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

function row(severity: Severity, resourceType: ResourceType, meaning: string): ActionRow {
  return { severity, resourceType, meaning };
}
