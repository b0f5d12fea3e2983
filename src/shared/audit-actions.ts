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

interface AuditActionDefinition {
  severity: Severity;
  resourceType: ResourceType;
  /** What happened, as a sentence for people. */
  meaning: string;
}

/** Every action the audit trail knows. */
export const AUDIT_ACTIONS = {
  ACCESS_DENIED: defineAction(
    'MEDIUM',
    'SYSTEM',
    'Somebody asked for what is not theirs or not allowed to them.',
  ),
  DATA_INTEGRITY_FAILED: defineAction('CRITICAL', 'SYSTEM', 'Stored data failed its integrity check.'),
  AUDIT_RANGE_DROPPED: defineAction('HIGH', 'SYSTEM', 'Audit entries were dropped because of their age.'),
  FILES_CHECKED: defineAction('MEDIUM', 'SYSTEM', 'Files were compared with what names them.'),
  AUDIT_TRAIL_EXPORTED: defineAction('HIGH', 'SYSTEM', 'The sealed audit trail was exported.'),

  KEY_ADDED: defineAction('HIGH', 'SYSTEM', 'An encryption key or a pepper serves for the first time.'),
  KEY_PROMOTED: defineAction('HIGH', 'SYSTEM', 'What is new is encrypted with another key from now on.'),
  KEY_ROTATION_STARTED: defineAction(
    'HIGH',
    'SYSTEM',
    'Encrypting what is stored under the primary key was begun.',
  ),
  KEYS_ROTATED: defineAction('HIGH', 'SYSTEM', 'Everything that is encrypted is under the primary key.'),
  KEY_RETIRED: defineAction(
    'CRITICAL',
    'SYSTEM',
    'An encryption key that nothing needs any more was retired.',
  ),

  USER_REGISTERED: defineAction('LOW', 'USER', 'An address was given for a new account.'),
  USER_REGISTRATION_REPEATED: defineAction(
    'LOW',
    'USER',
    'Somebody registered an address that has an account.',
  ),
  USER_PRIVILEGE_REQUESTED: defineAction(
    'MEDIUM',
    'USER',
    'A registration asked for rights; they were not given.',
  ),
  OTP_RESENT: defineAction('LOW', 'USER', 'A new one-time code was asked for.'),
  OTP_REJECTED: defineAction('MEDIUM', 'USER', 'A wrong one-time code was entered.'),
  EMAIL_VERIFIED: defineAction('LOW', 'USER', 'An address was confirmed by its one-time code.'),
  PROFILE_CREATED: defineAction('LOW', 'USER', 'A person completed their profile.'),
  PROFILE_READ: defineAction('LOW', 'USER', "An administrator read a person's profile."),
  PROFILE_UPDATED: defineAction('LOW', 'USER', 'A person changed their profile.'),
  PASSWORD_CHANGED: defineAction('HIGH', 'USER', 'A password was changed by its owner.'),
  PASSWORD_CHANGE_REJECTED: defineAction(
    'MEDIUM',
    'USER',
    'A password was to be changed with a wrong current one.',
  ),
  PASSWORD_RESET_REQUESTED: defineAction('MEDIUM', 'USER', 'A link for a new password was asked for.'),
  PASSWORD_RESET: defineAction('HIGH', 'USER', 'A password was replaced by way of a mailed link.'),
  PASSWORD_RESET_REJECTED: defineAction('MEDIUM', 'USER', 'A link for a new password was not valid.'),
  ADMINISTRATOR_CREATED: defineAction(
    'CRITICAL',
    'USER',
    'An account was made administrator at start or by a command.',
  ),
  DATA_EXPORT_REQUESTED: defineAction('MEDIUM', 'USER', 'A person asked for an archive of their data.'),
  DATA_EXPORTED: defineAction('HIGH', 'USER', 'An archive of all data of a person was made.'),
  DATA_EXPORT_FAILED: defineAction('MEDIUM', 'USER', "An archive of a person's data could not be made."),
  DATA_EXPORT_DOWNLOADED: defineAction('HIGH', 'USER', 'A person fetched the archive of their data.'),
  DATA_EXPORT_REMOVED: defineAction(
    'LOW',
    'USER',
    "An archive of a person's data was removed after its seven days.",
  ),
  IDENTITY_PROOF_REJECTED: defineAction(
    'MEDIUM',
    'USER',
    'An export or an erasure was asked for without a fresh proof of who asks.',
  ),
  ACCOUNT_ERASED: defineAction('CRITICAL', 'USER', 'A person erased their account.'),
  ERASURE_FINISHED: defineAction(
    'HIGH',
    'SYSTEM',
    'The last of what belonged to an erased account was removed.',
  ),
  ROLE_CHANGED: defineAction('CRITICAL', 'USER', "A person's role was changed."),
  ENTERPRISE_MODE_ENABLED: defineAction(
    'HIGH',
    'USER',
    'The rules of enterprise mode were switched on for a person.',
  ),
  ENTERPRISE_MODE_DISABLED: defineAction(
    'CRITICAL',
    'USER',
    'The rules of enterprise mode were switched off for a person.',
  ),
  MFA_ENROLL_STARTED: defineAction('MEDIUM', 'USER', 'A person asked for the secret of a second factor.'),
  MFA_ENABLED: defineAction('HIGH', 'USER', 'A person switched their second factor on.'),
  MFA_DISABLED: defineAction('HIGH', 'USER', 'A person switched their second factor off.'),
  MFA_REMOVED: defineAction('CRITICAL', 'USER', "An administrator took a person's second factor off."),
  MFA_REJECTED: defineAction('MEDIUM', 'USER', 'A wrong code or password was given for a second factor.'),
  RECOVERY_CODES_RENEWED: defineAction(
    'HIGH',
    'USER',
    'A person got new recovery codes; the old ones are void.',
  ),

  LOGIN_SUCCEEDED: defineAction('LOW', 'SESSION', 'A person logged in.'),
  LOGIN_FAILED: defineAction('MEDIUM', 'SESSION', 'A log-in failed.'),
  MFA_REQUIRED: defineAction(
    'LOW',
    'USER',
    'The first step of a log-in was right; the second factor was asked for.',
  ),
  MFA_VERIFIED: defineAction('LOW', 'SESSION', 'A person logged in by their second factor.'),
  RECOVERY_CODE_USED: defineAction('HIGH', 'SESSION', 'A person logged in by a recovery code.'),
  LOGOUT: defineAction('LOW', 'SESSION', 'A person logged out.'),
  SESSION_REFRESHED: defineAction('LOW', 'SESSION', 'A refresh token was replaced.'),
  SESSION_REVOKED: defineAction('MEDIUM', 'SESSION', 'A person ended one of their sessions.'),
  SESSION_IDLE_ENDED: defineAction(
    'LOW',
    'SESSION',
    'A session was ended because nothing was asked with it for long.',
  ),
  REFRESH_TOKEN_REUSED: defineAction(
    'HIGH',
    'SESSION',
    'A replaced refresh token came again; the session was ended.',
  ),

  IDENTITY_CONFIRMED: defineAction('LOW', 'USER', 'An identity provider confirmed who a person is.'),
  IDENTITY_SIGN_IN_REJECTED: defineAction(
    'MEDIUM',
    'USER',
    'A sign-in with an identity provider was rejected.',
  ),
  IDENTITY_LOGIN_SUCCEEDED: defineAction('LOW', 'SESSION', 'A person logged in by an identity provider.'),
  IDENTITY_ACCOUNT_CREATED: defineAction(
    'LOW',
    'USER',
    'An account was made for a person of an identity provider.',
  ),
  IDENTITY_LINKED: defineAction(
    'HIGH',
    'USER',
    'An identity provider may from now on open an existing account.',
  ),
  IDENTITY_UNLINKED: defineAction('HIGH', 'USER', 'A person took an identity provider off their account.'),
  UNVERIFIED_ACCOUNT_CLEARED: defineAction(
    'HIGH',
    'USER',
    'Data of unverified registrations was removed before an identity was linked.',
  ),

  QRCODE_CREATED: defineAction('LOW', 'QRCODE', 'A QR code was made.'),
  QRCODE_UPDATED: defineAction('LOW', 'QRCODE', 'A QR code was changed.'),
  QRCODE_DELETED: defineAction('MEDIUM', 'QRCODE', 'A QR code was deleted.'),
  QRCODE_RESTORED: defineAction('LOW', 'QRCODE', 'A deleted QR code was brought back.'),
  QRCODE_PURGED: defineAction(
    'MEDIUM',
    'QRCODE',
    'Content and image of a code deleted long ago were removed.',
  ),
  QRCODE_REPORTED_LOST: defineAction('MEDIUM', 'QRCODE', 'An owner said that the thing is lost.'),
  QRCODE_REPORTED_FOUND: defineAction('LOW', 'QRCODE', 'An owner said that the thing is found.'),
  QRCODE_TEST_LINK_CREATED: defineAction('LOW', 'QRCODE', 'An owner asked for a link to try a code.'),
  QRCODE_TEST_LINK_USED: defineAction('LOW', 'QRCODE', 'A phone was marked as its owner’s by a test link.'),
  QRCODE_IMAGES_REBUILT: defineAction('MEDIUM', 'QRCODE', 'Images were drawn again by a command.'),
  MEDICAL_DATA_READ: defineAction(
    'MEDIUM',
    'QRCODE',
    'The owner read the content of a medical code. What a change of one answers is told by its own entry.',
  ),
  MEDICAL_DATA_LISTED: defineAction('MEDIUM', 'QRCODE', 'A medical code was in a list that its owner read.'),
  MEDICAL_DATA_SCANNED: defineAction('MEDIUM', 'QRCODE', 'A scan showed content of a medical code.'),

  PIN_REJECTED: defineAction('MEDIUM', 'SCAN', 'A wrong PIN was given for a code.'),
  SCANS_EXPORTED: defineAction(
    'MEDIUM',
    'USER',
    'A person exported the scans of their codes, with exact positions.',
  ),
  SCAN_LOCATED: defineAction('LOW', 'SCAN', 'A position was given for an existing scan.'),
  SCAN_UNLOCKED: defineAction('LOW', 'SCAN', 'The right PIN was given for an existing scan.'),

  CONVERSATION_OPENED: defineAction('LOW', 'CONVERSATION', 'Somebody who scanned a code wrote to its owner.'),
  CONVERSATION_CONTINUED: defineAction('LOW', 'CONVERSATION', 'A message was written in a conversation.'),
  CONVERSATION_READ: defineAction(
    'LOW',
    'CONVERSATION',
    'Messages of a conversation were read for the first time.',
  ),
  CONVERSATION_ENDED: defineAction(
    'LOW',
    'CONVERSATION',
    'One side ended a conversation, or the administration.',
  ),
  FINDER_EMAIL_REMOVED: defineAction('LOW', 'CONVERSATION', 'A finder wants no mails of answers any more.'),
  FINDER_BLOCKED: defineAction('MEDIUM', 'CONVERSATION', 'An owner blocked a finder, or the administration.'),
  FINDER_UNBLOCKED: defineAction('LOW', 'CONVERSATION', 'An owner let a finder write again.'),

  CONVERSATION_REPORTED: defineAction('MEDIUM', 'CONVERSATION_REPORT', 'One side reported a conversation.'),
  CONVERSATION_REPORTS_LISTED: defineAction(
    'HIGH',
    'CONVERSATION_REPORT',
    'An administrator listed what was reported.',
  ),
  CONVERSATION_REPORT_READ: defineAction(
    'HIGH',
    'CONVERSATION_REPORT',
    'An administrator read what was written in a conversation that was reported.',
  ),
  CONVERSATION_REPORT_DECIDED: defineAction(
    'HIGH',
    'CONVERSATION_REPORT',
    'An administrator decided a report.',
  ),

  NOTIFICATION_READ: defineAction('LOW', 'NOTIFICATION', 'A notification was marked as read.'),
  NOTIFICATIONS_READ_ALL: defineAction('LOW', 'NOTIFICATION', 'All notifications were marked as read.'),
  NOTIFICATION_DELETED: defineAction('LOW', 'NOTIFICATION', 'A notification was deleted.'),

  NOTIFICATION_PREFERENCES_CHANGED: defineAction(
    'LOW',
    'USER',
    'A person changed what they are told of, and how.',
  ),
  MAILS_UNSUBSCRIBED: defineAction(
    'LOW',
    'USER',
    'Mails of a kind were ended by the link that stands in each of them.',
  ),
  PUSH_DEVICE_REGISTERED: defineAction('LOW', 'SESSION', 'A device was registered for pushes.'),
  PUSH_DEVICE_MOVED: defineAction(
    'MEDIUM',
    'SESSION',
    'A device was registered by another account that is logged in on it; it gets the pushes of this one no longer.',
  ),
  PUSH_DEVICE_REMOVED: defineAction('LOW', 'SESSION', 'A person wants no pushes on a device any more.'),

  MEMORY_TAG_CREATED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was made.'),
  MEMORY_TAG_UPDATED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was changed.'),
  MEMORY_TAG_DELETED: defineAction('MEDIUM', 'MEMORY_TAG', 'A memory tag was deleted.'),
  PICTURE_ADDED: defineAction('LOW', 'MEMORY_TAG', 'A picture was added to a memory tag.'),
  PICTURE_UPDATED: defineAction('LOW', 'MEMORY_TAG', 'The caption or the place of a picture was changed.'),
  PICTURE_DELETED: defineAction('MEDIUM', 'MEMORY_TAG', 'A picture of a memory tag was deleted.'),

  DOCUMENT_CREATED: defineAction('LOW', 'DOCUMENT', 'A document was uploaded.'),
  DOCUMENT_VERSION_ADDED: defineAction('LOW', 'DOCUMENT', 'Another version of a document was uploaded.'),
  DOCUMENT_UPDATED: defineAction('LOW', 'DOCUMENT', 'What is said of a document was changed.'),
  DOCUMENT_VERSION_DELETED: defineAction('MEDIUM', 'DOCUMENT', 'A former version of a document was deleted.'),
  DOCUMENT_DELETED: defineAction('MEDIUM', 'DOCUMENT', 'A document was deleted with all of its versions.'),
  INFECTED_UPLOAD_REJECTED: defineAction(
    'HIGH',
    'DOCUMENT',
    'Malware was found in an upload; nothing was stored.',
  ),
  INFECTED_DOCUMENT_REMOVED: defineAction(
    'HIGH',
    'DOCUMENT',
    'Malware was found in a document that waited for its check; the file was removed.',
  ),
  DOCUMENT_READ: defineAction('MEDIUM', 'DOCUMENT', 'The content of a document was read.'),
  HEALTH_DOCUMENT_VIEWED: defineAction(
    'MEDIUM',
    'DOCUMENT',
    'The owner viewed the details of a health document, without its content.',
  ),
  HEALTH_DOCUMENT_LISTED: defineAction(
    'MEDIUM',
    'DOCUMENT',
    'A health document was in a list that its owner read.',
  ),

  DOCUMENT_SHARED: defineAction('MEDIUM', 'DOCUMENT', 'A link that opens a document was made.'),
  DOCUMENT_SHARE_ENDED: defineAction('LOW', 'DOCUMENT', 'A link to a document was ended by its owner.'),
  DOCUMENT_SHARE_OPENED: defineAction('MEDIUM', 'DOCUMENT', 'Somebody opened a document by a link.'),
  DOCUMENT_PASSCODE_REJECTED: defineAction(
    'MEDIUM',
    'DOCUMENT',
    'A wrong passcode was given for a link to a document.',
  ),
  DOCUMENT_GRANTED: defineAction('MEDIUM', 'DOCUMENT', 'Access to a document was granted to a user.'),
  DOCUMENT_GRANT_REVOKED: defineAction('LOW', 'DOCUMENT', 'Access to a document was revoked.'),
  GRANTED_DOCUMENT_READ: defineAction('MEDIUM', 'DOCUMENT', 'A user read a document granted to them.'),
  DOCUMENT_GRANT_DECLINED: defineAction(
    'LOW',
    'DOCUMENT',
    'A user declined access to a document granted to them.',
  ),
  MEMORY_TAG_EXPORTED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was taken along as an archive.'),
  MEMORY_TAG_CARETAKER_ADDED: defineAction(
    'MEDIUM',
    'MEMORY_TAG',
    'An owner added a caretaker to a memory tag.',
  ),
  MEMORY_TAG_CARETAKER_REMOVED: defineAction(
    'MEDIUM',
    'MEMORY_TAG',
    'An owner took back that somebody may help with a memory tag.',
  ),
  MEMORY_TAG_CARETAKER_LEFT: defineAction('LOW', 'MEMORY_TAG', 'Somebody helps with a memory tag no longer.'),
  GUEST_BOOK_SIGNED: defineAction('LOW', 'MEMORY_TAG', 'A visitor wrote in a guest book.'),
  GUEST_BOOK_ENTRY_APPROVED: defineAction(
    'LOW',
    'MEMORY_TAG',
    'An entry of a guest book was shown to visitors.',
  ),
  GUEST_BOOK_ENTRY_HIDDEN: defineAction(
    'LOW',
    'MEMORY_TAG',
    'An entry of a guest book was hidden from visitors.',
  ),
  GUEST_BOOK_ENTRY_DELETED: defineAction('MEDIUM', 'MEMORY_TAG', 'An entry of a guest book was deleted.'),
  GUEST_BOOK_ENTRY_WITHDRAWN: defineAction(
    'LOW',
    'MEMORY_TAG',
    'A visitor withdrew an entry of a guest book.',
  ),

  CHECKOUT_OPENED: defineAction(
    'LOW',
    'SUBSCRIPTION',
    'A page to pay for a package was opened for a person.',
  ),
  SUBSCRIPTION_CANCELED: defineAction('MEDIUM', 'SUBSCRIPTION', 'A person cancelled their subscription.'),
  SUBSCRIPTION_CANCELLATION_UNDONE: defineAction(
    'LOW',
    'SUBSCRIPTION',
    'A user undid the cancellation of their subscription.',
  ),
  SUBSCRIPTION_CHANGED: defineAction(
    'MEDIUM',
    'SUBSCRIPTION',
    'A person changed to another package or interval.',
  ),
  PAYMENT_PORTAL_OPENED: defineAction(
    'LOW',
    'SUBSCRIPTION',
    'A page on which to see invoices and change how one pays was opened for a person.',
  ),
  PAYMENT_PRICE_UNKNOWN: defineAction(
    'HIGH',
    'SUBSCRIPTION',
    'A payment provider told of a subscription at a price that is not of any package.',
  ),
  PAYMENT_RECONCILED: defineAction(
    'MEDIUM',
    'SUBSCRIPTION',
    'A comparison with the payment provider changed what is known of a subscription or an invoice of it.',
  ),

  USER_SUSPENDED: defineAction('HIGH', 'USER', 'An administrator suspended a person.'),
  USER_RESTORED: defineAction('HIGH', 'USER', 'An administrator restored a suspended person.'),
  USER_SESSIONS_ENDED: defineAction('HIGH', 'USER', 'An administrator ended all sessions of a person.'),
  ACTIVATION_RESENT: defineAction(
    'MEDIUM',
    'USER',
    'An administrator had the activation mail of a person sent again.',
  ),
  LAST_ADMINISTRATOR_PROTECTED: defineAction(
    'HIGH',
    'USER',
    'A change would have removed the last administrator; nothing was changed.',
  ),
  BREAK_GLASS_OPENED: defineAction(
    'CRITICAL',
    'QRCODE',
    'An administrator stated an emergency and may read one record for a quarter of an hour.',
  ),
  BREAK_GLASS_REQUESTED_AGAIN: defineAction(
    'HIGH',
    'QRCODE',
    'An administrator requested emergency access again to a record that was already open to them.',
  ),
  BREAK_GLASS_QRCODE_READ: defineAction(
    'CRITICAL',
    'QRCODE',
    'An administrator read the content of a code in an emergency.',
  ),
  BREAK_GLASS_SCAN_READ: defineAction(
    'CRITICAL',
    'SCAN',
    'An administrator read the exact position of a scan in an emergency.',
  ),
  BREAK_GLASS_GRANTS_LISTED: defineAction(
    'HIGH',
    'SYSTEM',
    'Somebody read when and why the glass was broken.',
  ),
  SUPPORT_USERS_SEARCHED: defineAction('HIGH', 'USER', 'Support looked for a person.'),
  SUPPORT_QRCODES_SEARCHED: defineAction('HIGH', 'QRCODE', 'Support looked for a code.'),
  AUDIT_LOG_LISTED: defineAction('HIGH', 'SYSTEM', 'Somebody read the audit trail.'),
  AUDIT_LOG_EXPORTED: defineAction('HIGH', 'SYSTEM', 'Somebody exported the audit trail.'),
  AUDIT_LOG_VERIFIED: defineAction('LOW', 'SYSTEM', 'Somebody had the audit trail verified.'),

  ADMIN_USERS_LISTED: defineAction('HIGH', 'USER', 'An administrator listed people.'),
  ADMIN_QRCODES_LISTED: defineAction('HIGH', 'QRCODE', 'An administrator listed QR codes.'),
  ADMIN_SCAN_READ: defineAction('HIGH', 'SCAN', 'An administrator read a scan, without its exact position.'),
  ADMIN_JOBS_READ: defineAction('LOW', 'SYSTEM', 'An administrator looked at the work that happens later.'),
  JOB_RETRIED: defineAction('HIGH', 'SYSTEM', 'An administrator had a job tried again that was given up.'),
  JOB_DISMISSED: defineAction('HIGH', 'SYSTEM', 'An administrator removed a job that was given up.'),
  ADMIN_PACKAGES_READ: defineAction('LOW', 'SUBSCRIPTION', 'An administrator looked at what is sold.'),
  PACKAGE_CHANGED: defineAction(
    'HIGH',
    'SUBSCRIPTION',
    'An administrator changed what is sold: a package is offered by a new version.',
  ),
  ADMIN_ANALYTICS_READ: defineAction(
    'HIGH',
    'SYSTEM',
    'An administrator read counts over the whole service.',
  ),
} as const satisfies Record<string, AuditActionDefinition>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Their names, as the OpenAPI document lists them. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS).filter(
  (name): name is AuditAction => name in AUDIT_ACTIONS,
);

/** Actions that say what malware was found: whoever tries what is found must not learn it. */
const MALWARE_ACTIONS: readonly string[] = ['INFECTED_UPLOAD_REJECTED', 'INFECTED_DOCUMENT_REMOVED'];

/** What of an entry's changes the person hears who it is about. */
export function hideMalwareChanges(action: string, changes: string[]): string[] {
  return MALWARE_ACTIONS.includes(action) ? [] : changes;
}

function defineAction(
  severity: Severity,
  resourceType: ResourceType,
  meaning: string,
): AuditActionDefinition {
  return { severity, resourceType, meaning };
}
