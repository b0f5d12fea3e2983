import { defineAuditAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const administrationCatalogue = defineCatalogue({
  errors: {
    USER_NOT_VERIFIED: defineError(
      409,
      'The user is not verified.',
      'A role can be assigned only to a user whose email address is verified.',
    ),
    EMAIL_ALREADY_VERIFIED: defineError(
      409,
      'The email address is already verified.',
      'There is no pending activation for this address.',
    ),
    REPORT_ALREADY_DECIDED: defineError(
      409,
      'The report has already been decided.',
      'A report can be decided only once. Read it with GET /api/admin/conversation-reports/<id>.',
    ),
    JOB_NOT_FAILED: defineError(
      409,
      'The job has not failed.',
      'It is waiting, running or completed. Only a failed job can be retried or dismissed.',
    ),
  },
  auditActions: {
    ADMINISTRATOR_CREATED: defineAuditAction(
      'CRITICAL',
      'USER',
      'An administrator was created at startup or by a command.',
    ),
    ROLE_CHANGED: defineAuditAction('CRITICAL', 'USER', 'The role of a user was changed.'),
    MFA_REMOVED: defineAuditAction(
      'CRITICAL',
      'USER',
      'An administrator removed the second factor of a user.',
    ),
    CONVERSATION_REPORTS_LISTED: defineAuditAction(
      'HIGH',
      'CONVERSATION_REPORT',
      'An administrator listed conversation reports.',
    ),
    CONVERSATION_REPORT_READ: defineAuditAction(
      'HIGH',
      'CONVERSATION_REPORT',
      'An administrator read a reported conversation.',
    ),
    CONVERSATION_REPORT_DECIDED: defineAuditAction(
      'HIGH',
      'CONVERSATION_REPORT',
      'An administrator decided a conversation report.',
    ),
    QRCODE_TAKEDOWN_READ: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator read the takedown of a QR code.',
    ),
    QRCODE_REPORTS_LISTED: defineAuditAction('HIGH', 'SYSTEM', 'An administrator listed reported QR codes.'),
    QRCODE_REPORTS_READ: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'An administrator read the reports of a QR code.',
    ),
    QRCODE_PAGE_REVIEWED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'An administrator saw the page of a QR code that was reported or taken down.',
    ),
    QRCODE_REPORTS_DISMISSED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'An administrator dismissed the reports of a QR code.',
    ),
    QRCODE_APPEALS_LISTED: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator listed appeals against takedowns.',
    ),
    QRCODE_APPEAL_READ: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator read an appeal against a takedown.',
    ),
    USER_SUSPENDED: defineAuditAction('HIGH', 'USER', 'An administrator suspended a user.'),
    USER_RESTORED: defineAuditAction('HIGH', 'USER', 'An administrator restored a suspended user.'),
    USER_SESSIONS_ENDED: defineAuditAction('HIGH', 'USER', 'An administrator ended all sessions of a user.'),
    ACTIVATION_RESENT: defineAuditAction(
      'MEDIUM',
      'USER',
      'An administrator resent the activation email of a user.',
    ),
    LAST_ADMINISTRATOR_PROTECTED: defineAuditAction(
      'HIGH',
      'USER',
      'A change that would have removed the last administrator was rejected.',
    ),
    BREAK_GLASS_REQUESTED_AGAIN: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator requested emergency access to a record that they already had access to.',
    ),
    BREAK_GLASS_ENDED: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator ended emergency access to a record before its time.',
    ),
    BREAK_GLASS_GRANTS_LISTED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'The emergency access grants were listed.',
    ),
    SUPPORT_USERS_SEARCHED: defineAuditAction('HIGH', 'USER', 'Support searched for a user.'),
    SUPPORT_QRCODES_SEARCHED: defineAuditAction('HIGH', 'QRCODE', 'Support searched for a QR code.'),
    SUPPORT_MAIL_STATUS_READ: defineAuditAction(
      'HIGH',
      'USER',
      'Staff looked up whether emails reach a user.',
    ),
    ADMIN_USERS_LISTED: defineAuditAction('HIGH', 'USER', 'An administrator listed users.'),
    ADMIN_QRCODES_LISTED: defineAuditAction('HIGH', 'QRCODE', 'An administrator listed QR codes.'),
    ADMIN_JOBS_READ: defineAuditAction('LOW', 'SYSTEM', 'An administrator viewed the job queues.'),
    JOB_RETRIED: defineAuditAction('HIGH', 'SYSTEM', 'An administrator retried a failed job.'),
    JOB_DISMISSED: defineAuditAction('HIGH', 'SYSTEM', 'An administrator dismissed a failed job.'),
    ADMIN_PACKAGES_READ: defineAuditAction('LOW', 'SUBSCRIPTION', 'An administrator viewed the packages.'),
    PACKAGE_CHANGED: defineAuditAction(
      'HIGH',
      'SUBSCRIPTION',
      'An administrator changed a package, which created a new version.',
    ),
    ADMIN_ANALYTICS_READ: defineAuditAction('HIGH', 'SYSTEM', 'An administrator viewed the analytics.'),
  },
  permissions: {
    'support:find': {
      roles: ['SUPPORT'],
      meaning: 'Search for users and QR codes, without content.',
    },
    'support:mail-status': {
      roles: ['SUPPORT', 'ADMIN'],
      meaning: 'See whether emails reach a user and why not, without their texts.',
    },
    'admin:users': { roles: ['ADMIN'], meaning: 'List all users.' },
    'admin:change-users': {
      roles: ['ADMIN'],
      meaning: 'Suspend, restore and log out users, change roles, resend activation emails.',
    },
    'admin:qrcodes': { roles: ['ADMIN'], meaning: 'List all QR codes, without content.' },
    'admin:analytics': { roles: ['ADMIN'], meaning: 'View analytics of the whole service.' },
    'admin:reports': { roles: ['ADMIN'], meaning: 'Read reported conversations and decide reports.' },
    'admin:moderation': {
      roles: ['ADMIN'],
      meaning: 'Read reports of QR codes, take codes down, reinstate them, and decide appeals.',
    },
    'admin:jobs': {
      roles: ['ADMIN'],
      meaning: 'View job queues; retry or dismiss failed jobs.',
    },
    'admin:packages': {
      roles: ['ADMIN'],
      meaning: 'View and change packages, prices and limits.',
    },
    'admin:break-glass': {
      roles: ['ADMIN'],
      meaning: `Read one record for ${formatLifetime('breakGlass')} in an emergency; its owner is notified.`,
    },
  },
  encryptedColumns: [
    {
      table: 'break_glass_grants',
      column: 'reason',
      rowId: 'id',
      owner: 'administrator_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
