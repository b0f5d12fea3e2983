export const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const RESOURCE_TYPES = [
  'USER',
  'SESSION',
  'QRCODE',
  'SCAN',
  'CONVERSATION',
  'CONVERSATION_REPORT',
  'NOTIFICATION',
  'MEMORY_TAG',
  'DOCUMENT',
  'SUBSCRIPTION',
  'SYSTEM',
] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];

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
  AUDIT_RANGE_DROPPED: row('HIGH', 'SYSTEM', 'Audit entries were dropped because of their age.'),
  FILES_CHECKED: row('MEDIUM', 'SYSTEM', 'Files were compared with what names them.'),
  AUDIT_TRAIL_EXPORTED: row('HIGH', 'SYSTEM', 'The sealed audit trail was exported.'),

  KEY_ADDED: row('HIGH', 'SYSTEM', 'An encryption key or a pepper serves for the first time.'),
  KEY_PROMOTED: row('HIGH', 'SYSTEM', 'What is new is encrypted with another key from now on.'),
  KEY_ROTATION_STARTED: row('HIGH', 'SYSTEM', 'Encrypting what is stored under the primary key was begun.'),
  KEYS_ROTATED: row('HIGH', 'SYSTEM', 'Everything that is encrypted is under the primary key.'),
  KEY_RETIRED: row('CRITICAL', 'SYSTEM', 'An encryption key that nothing needs any more was retired.'),

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
  ENTERPRISE_MODE_ENABLED: row('HIGH', 'USER', 'The rules of enterprise mode were switched on for a person.'),
  ENTERPRISE_MODE_DISABLED: row(
    'CRITICAL',
    'USER',
    'The rules of enterprise mode were switched off for a person.',
  ),
  MFA_ENROLL_STARTED: row('MEDIUM', 'USER', 'A person asked for the secret of a second factor.'),
  MFA_ENABLED: row('HIGH', 'USER', 'A person switched their second factor on.'),
  MFA_DISABLED: row('HIGH', 'USER', 'A person switched their second factor off.'),
  MFA_REMOVED: row('CRITICAL', 'USER', "An administrator took a person's second factor off."),
  MFA_REJECTED: row('MEDIUM', 'USER', 'A wrong code or password was given for a second factor.'),
  RECOVERY_CODES_RENEWED: row('HIGH', 'USER', 'A person got new recovery codes; the old ones are void.'),

  LOGIN_SUCCEEDED: row('LOW', 'SESSION', 'A person logged in.'),
  LOGIN_FAILED: row('MEDIUM', 'SESSION', 'A log-in failed.'),
  MFA_REQUIRED: row('LOW', 'USER', 'The first step of a log-in was right; the second factor was asked for.'),
  MFA_VERIFIED: row('LOW', 'SESSION', 'A person logged in by their second factor.'),
  RECOVERY_CODE_USED: row('HIGH', 'SESSION', 'A person logged in by a recovery code.'),
  LOGOUT: row('LOW', 'SESSION', 'A person logged out.'),
  SESSION_REFRESHED: row('LOW', 'SESSION', 'A refresh token was replaced.'),
  SESSION_REVOKED: row('MEDIUM', 'SESSION', 'A person ended one of their sessions.'),
  SESSION_IDLE_ENDED: row(
    'LOW',
    'SESSION',
    'A session was ended because nothing was asked with it for long.',
  ),
  REFRESH_TOKEN_REUSED: row('HIGH', 'SESSION', 'A replaced refresh token came again; the session was ended.'),

  IDENTITY_CONFIRMED: row('LOW', 'USER', 'An identity provider confirmed who a person is.'),
  IDENTITY_REFUSED: row('MEDIUM', 'USER', 'A sign-in by an identity provider was refused.'),
  IDENTITY_LOGIN_SUCCEEDED: row('LOW', 'SESSION', 'A person logged in by an identity provider.'),
  IDENTITY_ACCOUNT_CREATED: row('LOW', 'USER', 'An account was made for a person of an identity provider.'),
  IDENTITY_LINKED: row('HIGH', 'USER', 'An identity provider may from now on open an existing account.'),
  IDENTITY_UNLINKED: row('HIGH', 'USER', 'A person took an identity provider off their account.'),
  UNCONFIRMED_ACCOUNT_CLEARED: row(
    'HIGH',
    'USER',
    'What registrations that nobody confirmed had left was removed before an identity was linked.',
  ),

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
  MEDICAL_DATA_READ: row(
    'MEDIUM',
    'QRCODE',
    'The owner read the content of a medical code. What a change of one answers is told by its own entry.',
  ),
  MEDICAL_DATA_LISTED: row('MEDIUM', 'QRCODE', 'A medical code was in a list that its owner read.'),
  MEDICAL_DATA_SCANNED: row('MEDIUM', 'QRCODE', 'A scan showed content of a medical code.'),

  PIN_REJECTED: row('MEDIUM', 'SCAN', 'A wrong PIN was given for a code.'),
  SCANS_EXPORTED: row('MEDIUM', 'USER', 'A person exported the scans of their codes, with exact positions.'),
  SCAN_LOCATED: row('LOW', 'SCAN', 'A position was given for an existing scan.'),
  SCAN_UNLOCKED: row('LOW', 'SCAN', 'The right PIN was given for an existing scan.'),

  CONVERSATION_OPENED: row('LOW', 'CONVERSATION', 'Somebody who scanned a code wrote to its owner.'),
  CONVERSATION_CONTINUED: row('LOW', 'CONVERSATION', 'A message was written in a conversation.'),
  CONVERSATION_READ: row('LOW', 'CONVERSATION', 'Messages of a conversation were read for the first time.'),
  CONVERSATION_ENDED: row('LOW', 'CONVERSATION', 'One side ended a conversation, or the administration.'),
  FINDER_EMAIL_REMOVED: row('LOW', 'CONVERSATION', 'A finder wants no mails of answers any more.'),
  FINDER_BLOCKED: row('MEDIUM', 'CONVERSATION', 'An owner blocked a finder, or the administration.'),
  FINDER_UNBLOCKED: row('LOW', 'CONVERSATION', 'An owner let a finder write again.'),

  CONVERSATION_REPORTED: row('MEDIUM', 'CONVERSATION_REPORT', 'One side reported a conversation.'),
  CONVERSATION_REPORTS_LISTED: row(
    'HIGH',
    'CONVERSATION_REPORT',
    'An administrator listed what was reported.',
  ),
  CONVERSATION_REPORT_READ: row(
    'HIGH',
    'CONVERSATION_REPORT',
    'An administrator read what was written in a conversation that was reported.',
  ),
  CONVERSATION_REPORT_DECIDED: row('HIGH', 'CONVERSATION_REPORT', 'An administrator decided a report.'),

  NOTIFICATION_READ: row('LOW', 'NOTIFICATION', 'A notification was marked as read.'),
  NOTIFICATIONS_READ_ALL: row('LOW', 'NOTIFICATION', 'All notifications were marked as read.'),
  NOTIFICATION_DELETED: row('LOW', 'NOTIFICATION', 'A notification was deleted.'),

  NOTIFICATION_PREFERENCES_CHANGED: row('LOW', 'USER', 'A person changed what they are told of, and how.'),
  MAILS_UNSUBSCRIBED: row(
    'LOW',
    'USER',
    'Mails of a kind were ended by the link that stands in each of them.',
  ),
  PUSH_DEVICE_REGISTERED: row('LOW', 'SESSION', 'A device was registered for pushes.'),
  PUSH_DEVICE_MOVED: row(
    'MEDIUM',
    'SESSION',
    'A device was registered by another account that is logged in on it; it gets the pushes of this one no longer.',
  ),
  PUSH_DEVICE_REMOVED: row('LOW', 'SESSION', 'A person wants no pushes on a device any more.'),

  MEMORY_TAG_CREATED: row('LOW', 'MEMORY_TAG', 'A memory tag was made.'),
  MEMORY_TAG_UPDATED: row('LOW', 'MEMORY_TAG', 'A memory tag was changed.'),
  MEMORY_TAG_DELETED: row('MEDIUM', 'MEMORY_TAG', 'A memory tag was deleted.'),
  PICTURE_ADDED: row('LOW', 'MEMORY_TAG', 'A picture was added to a memory tag.'),
  PICTURE_UPDATED: row('LOW', 'MEMORY_TAG', 'The caption or the place of a picture was changed.'),
  PICTURE_DELETED: row('MEDIUM', 'MEMORY_TAG', 'A picture of a memory tag was deleted.'),

  DOCUMENT_CREATED: row('LOW', 'DOCUMENT', 'A document was uploaded.'),
  DOCUMENT_VERSION_ADDED: row('LOW', 'DOCUMENT', 'Another version of a document was uploaded.'),
  DOCUMENT_UPDATED: row('LOW', 'DOCUMENT', 'What is said of a document was changed.'),
  DOCUMENT_VERSION_DELETED: row('MEDIUM', 'DOCUMENT', 'A former version of a document was deleted.'),
  DOCUMENT_DELETED: row('MEDIUM', 'DOCUMENT', 'A document was deleted with all of its versions.'),
  UPLOAD_REFUSED_INFECTED: row(
    'HIGH',
    'DOCUMENT',
    'Malware was found in an upload, and nothing of it stored.',
  ),
  DOCUMENT_REMOVED_INFECTED: row(
    'HIGH',
    'DOCUMENT',
    'Malware was found in a document that had waited for its check; its file was removed.',
  ),
  DOCUMENT_READ: row('MEDIUM', 'DOCUMENT', 'The content of a document was read.'),
  HEALTH_DOCUMENT_SEEN: row(
    'MEDIUM',
    'DOCUMENT',
    'The owner read what is noted of a health document, without its content.',
  ),
  HEALTH_DOCUMENT_LISTED: row('MEDIUM', 'DOCUMENT', 'A health document was in a list that its owner read.'),

  DOCUMENT_SHARED: row('MEDIUM', 'DOCUMENT', 'A link that opens a document was made.'),
  DOCUMENT_SHARE_ENDED: row('LOW', 'DOCUMENT', 'A link to a document was ended by its owner.'),
  DOCUMENT_SHARE_OPENED: row('MEDIUM', 'DOCUMENT', 'Somebody opened a document by a link.'),
  DOCUMENT_PASSCODE_REJECTED: row(
    'MEDIUM',
    'DOCUMENT',
    'A wrong passcode was given for a link to a document.',
  ),
  DOCUMENT_GIVEN: row('MEDIUM', 'DOCUMENT', 'A document was given to somebody by name.'),
  DOCUMENT_GRANT_ENDED: row('LOW', 'DOCUMENT', 'A document was taken back from somebody.'),
  DOCUMENT_GIVEN_READ: row('MEDIUM', 'DOCUMENT', 'Somebody read a document that was given to them.'),
  DOCUMENT_GIVEN_BACK: row('LOW', 'DOCUMENT', 'Somebody gave a document back that was given to them.'),
  MEMORY_TAG_EXPORTED: row('LOW', 'MEMORY_TAG', 'A memory tag was taken along as an archive.'),
  MEMORY_TAG_CARETAKER_NAMED: row('MEDIUM', 'MEMORY_TAG', 'An owner let somebody help with a memory tag.'),
  MEMORY_TAG_CARETAKER_REMOVED: row(
    'MEDIUM',
    'MEMORY_TAG',
    'An owner took back that somebody may help with a memory tag.',
  ),
  MEMORY_TAG_CARETAKER_LEFT: row('LOW', 'MEMORY_TAG', 'Somebody helps with a memory tag no longer.'),
  GUEST_BOOK_SIGNED: row('LOW', 'MEMORY_TAG', 'A visitor wrote in a guest book.'),
  GUEST_BOOK_ENTRY_APPROVED: row('LOW', 'MEMORY_TAG', 'An entry of a guest book was shown to visitors.'),
  GUEST_BOOK_ENTRY_HIDDEN: row('LOW', 'MEMORY_TAG', 'An entry of a guest book was hidden from visitors.'),
  GUEST_BOOK_ENTRY_DELETED: row('MEDIUM', 'MEMORY_TAG', 'An entry of a guest book was deleted.'),
  GUEST_BOOK_ENTRY_WITHDRAWN: row('LOW', 'MEMORY_TAG', 'A visitor withdrew an entry of a guest book.'),

  CHECKOUT_OPENED: row('LOW', 'SUBSCRIPTION', 'A page to pay for a package was opened for a person.'),
  SUBSCRIPTION_CANCELED: row('MEDIUM', 'SUBSCRIPTION', 'A person cancelled their subscription.'),
  SUBSCRIPTION_KEPT: row('LOW', 'SUBSCRIPTION', 'A person took back that their subscription is to end.'),
  SUBSCRIPTION_CHANGED: row('MEDIUM', 'SUBSCRIPTION', 'A person changed to another package or interval.'),
  PAYMENT_PORTAL_OPENED: row(
    'LOW',
    'SUBSCRIPTION',
    'A page on which to see invoices and change how one pays was opened for a person.',
  ),
  PAYMENT_PRICE_UNKNOWN: row(
    'HIGH',
    'SUBSCRIPTION',
    'A payment provider told of a subscription at a price that is not of any package.',
  ),
  PAYMENT_RECONCILED: row(
    'MEDIUM',
    'SUBSCRIPTION',
    'A comparison with the payment provider changed what is known of a subscription or an invoice of it.',
  ),

  USER_SUSPENDED: row('HIGH', 'USER', 'An administrator suspended a person.'),
  USER_RESTORED: row('HIGH', 'USER', 'An administrator restored a suspended person.'),
  USER_SESSIONS_ENDED: row('HIGH', 'USER', 'An administrator ended all sessions of a person.'),
  ACTIVATION_RESENT: row(
    'MEDIUM',
    'USER',
    'An administrator had the activation mail of a person sent again.',
  ),
  LAST_ADMINISTRATOR_KEPT: row(
    'HIGH',
    'USER',
    'The last administrator was to lose the role or the account; nothing was changed.',
  ),
  BREAK_GLASS_OPENED: row(
    'CRITICAL',
    'QRCODE',
    'An administrator stated an emergency and may read one record for a quarter of an hour.',
  ),
  BREAK_GLASS_ASKED_AGAIN: row(
    'HIGH',
    'QRCODE',
    'An administrator stated an emergency again for a record that was open to them already.',
  ),
  BREAK_GLASS_QRCODE_READ: row(
    'CRITICAL',
    'QRCODE',
    'An administrator read the content of a code in an emergency.',
  ),
  BREAK_GLASS_SCAN_READ: row(
    'CRITICAL',
    'SCAN',
    'An administrator read the exact position of a scan in an emergency.',
  ),
  BREAK_GLASS_GRANTS_LISTED: row('HIGH', 'SYSTEM', 'Somebody read when and why the glass was broken.'),
  SUPPORT_USERS_SEARCHED: row('HIGH', 'USER', 'Support looked for a person.'),
  SUPPORT_QRCODES_SEARCHED: row('HIGH', 'QRCODE', 'Support looked for a code.'),
  AUDIT_LOG_LISTED: row('HIGH', 'SYSTEM', 'Somebody read the audit trail.'),
  AUDIT_LOG_EXPORTED: row('HIGH', 'SYSTEM', 'Somebody exported the audit trail.'),
  AUDIT_LOG_VERIFIED: row('LOW', 'SYSTEM', 'Somebody had the audit trail verified.'),

  ADMIN_USERS_LISTED: row('HIGH', 'USER', 'An administrator listed people.'),
  ADMIN_QRCODES_LISTED: row('HIGH', 'QRCODE', 'An administrator listed QR codes.'),
  ADMIN_SCAN_READ: row('HIGH', 'SCAN', 'An administrator read a scan, without its exact position.'),
  ADMIN_JOBS_READ: row('LOW', 'SYSTEM', 'An administrator looked at the work that happens later.'),
  JOB_RETRIED: row('HIGH', 'SYSTEM', 'An administrator had a job tried again that was given up.'),
  JOB_DISMISSED: row('HIGH', 'SYSTEM', 'An administrator removed a job that was given up.'),
  ADMIN_PACKAGES_READ: row('LOW', 'SUBSCRIPTION', 'An administrator looked at what is sold.'),
  PACKAGE_CHANGED: row(
    'HIGH',
    'SUBSCRIPTION',
    'An administrator changed what is sold: a package is offered by a new version.',
  ),
  ADMIN_ANALYTICS_READ: row('HIGH', 'SYSTEM', 'An administrator read counts over the whole service.'),
} as const satisfies Record<string, ActionRow>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Their names, as the OpenAPI document lists them. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS).filter(
  (name): name is AuditAction => name in AUDIT_ACTIONS,
);

/** Actions that say what malware was found: whoever tries what is found must not learn it. */
const ABOUT_MALWARE: readonly string[] = ['UPLOAD_REFUSED_INFECTED', 'DOCUMENT_REMOVED_INFECTED'];

/** What of an entry's changes the person hears who it is about. */
export function changesForPerson(action: string, changes: string[]): string[] {
  return ABOUT_MALWARE.includes(action) ? [] : changes;
}

function row(severity: Severity, resourceType: ResourceType, meaning: string): ActionRow {
  return { severity, resourceType, meaning };
}
