import { defineAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';

export const administrationCatalogue = defineCatalogue({
  errors: {
    USER_NOT_VERIFIED: defineError(
      409,
      'The user is not verified.',
      'A role can be assigned only to a user whose e-mail address is verified.',
    ),
    EMAIL_ALREADY_VERIFIED: defineError(
      409,
      'The e-mail address is already verified.',
      'There is nothing to activate, or nobody registered the address within the last days.',
    ),
    REPORT_ALREADY_DECIDED: defineError(
      409,
      'The report is already decided.',
      'A report is decided once. Read it with GET /api/admin/conversation-reports/<id>.',
    ),
    JOB_NOT_FAILED: defineError(
      409,
      'The job has not failed.',
      'It is waiting, running or completed. Only a failed job can be retried or dismissed.',
    ),
  },
  auditActions: {
    ADMINISTRATOR_CREATED: defineAction(
      'CRITICAL',
      'USER',
      'An account was made administrator at start or by a command.',
    ),
    ROLE_CHANGED: defineAction('CRITICAL', 'USER', "A person's role was changed."),
    MFA_REMOVED: defineAction('CRITICAL', 'USER', "An administrator took a person's second factor off."),
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
    BREAK_GLASS_REQUESTED_AGAIN: defineAction(
      'HIGH',
      'QRCODE',
      'An administrator requested emergency access again to a record that was already open to them.',
    ),
    BREAK_GLASS_GRANTS_LISTED: defineAction(
      'HIGH',
      'SYSTEM',
      'Somebody read when and why the glass was broken.',
    ),
    SUPPORT_USERS_SEARCHED: defineAction('HIGH', 'USER', 'Support looked for a person.'),
    SUPPORT_QRCODES_SEARCHED: defineAction('HIGH', 'QRCODE', 'Support looked for a code.'),
    ADMIN_USERS_LISTED: defineAction('HIGH', 'USER', 'An administrator listed people.'),
    ADMIN_QRCODES_LISTED: defineAction('HIGH', 'QRCODE', 'An administrator listed QR codes.'),
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
  },
  permissions: {
    'support:find': {
      roles: ['SUPPORT'],
      meaning: 'Find a person or a code by what somebody says of it, without content.',
    },
    'admin:users': { roles: ['ADMIN'], meaning: 'List all people.' },
    'admin:change-users': {
      roles: ['ADMIN'],
      meaning: 'Suspend, restore and log out people, change roles, have activation mails sent again.',
    },
    'admin:qrcodes': { roles: ['ADMIN'], meaning: 'List all QR codes, without content.' },
    'admin:analytics': { roles: ['ADMIN'], meaning: 'Read counts over the whole service.' },
    'admin:reports': { roles: ['ADMIN'], meaning: 'Read conversations that were reported, and decide.' },
    'admin:jobs': {
      roles: ['ADMIN'],
      meaning: 'See the work that happens later; try again or dismiss what was given up.',
    },
    'admin:packages': {
      roles: ['ADMIN'],
      meaning: 'See what is sold, and change packages, prices and limits.',
    },
    'admin:break-glass': {
      roles: ['ADMIN'],
      meaning: 'In an emergency, read one record of somebody for a quarter of an hour; they are told.',
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
