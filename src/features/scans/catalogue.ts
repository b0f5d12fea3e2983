import { ROLES_OF_RECORDS } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const scansCatalogue = defineCatalogue({
  errors: {
    PIN_INCORRECT: defineError(
      403,
      'Incorrect PIN.',
      '`attemptsLeft` is the number of remaining attempts. Public fields are readable without a PIN.',
    ),
    SCAN_TOKEN_INVALID: defineError(
      403,
      'Invalid scan token.',
      `The token is missing or wrong. Send the \`scanToken\` of the scan in the X-Scan-Token header; it is valid for ${formatLifetime('scanToken')}.`,
    ),
    LOCATION_TRAIL_CLOSED: defineError(
      409,
      'The scan cannot accept more positions.',
      `A scan accepts up to 20 positions within ${formatLifetime('scanTrail', 'hours')}. Earlier positions are kept.`,
    ),
    CODE_UNCLAIMED: defineError(
      404,
      'The code is not claimed.',
      'The code was printed before it has an owner. POST /api/claims claims it.',
    ),
    CLAIM_CODE_INCORRECT: defineError(
      403,
      'Incorrect claim code.',
      'It is on the packaging of the tag. `attemptsLeft` is the number of remaining attempts.',
    ),
    CODE_PAUSED: defineError(
      410,
      'The code is paused.',
      'The owner has paused the code. `contactable` tells whether the owner accepts messages.',
    ),
    CODE_EXPIRED: defineError(
      410,
      'The code has expired.',
      'The code is past its expiry date. `contactable` tells whether the owner accepts messages.',
    ),
  },
  auditActions: {
    MEDICAL_DATA_SCANNED: defineAuditAction(
      'MEDIUM',
      'QRCODE',
      'A scan showed the content of a medical code.',
    ),
    TAG_CLAIMED: defineAuditAction('MEDIUM', 'QRCODE', 'A user claimed a tag that had no owner.'),
    CLAIM_UNDONE: defineAuditAction('MEDIUM', 'QRCODE', 'A user gave a claimed tag back.'),
    CLAIM_CODE_REJECTED: defineAuditAction('MEDIUM', 'QRCODE', 'A wrong claim code was entered for a tag.'),
    PIN_REJECTED: defineAuditAction('MEDIUM', 'SCAN', 'A wrong PIN was entered for a code.'),
    SCANS_EXPORTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A user exported the scans of their codes, with exact positions.',
    ),
    REPORT_SCHEDULED: defineAuditAction('LOW', 'USER', 'A user scheduled reports on scans by email.'),
    REPORT_UNSCHEDULED: defineAuditAction('LOW', 'USER', 'A user ended their reports by email.'),
    SCAN_LOCATED: defineAuditAction('LOW', 'SCAN', 'A position was added to an existing scan.'),
    SCAN_UNLOCKED: defineAuditAction('LOW', 'SCAN', 'An existing scan was unlocked with the PIN.'),
    BREAK_GLASS_SCAN_READ: defineAuditAction(
      'CRITICAL',
      'SCAN',
      'An administrator read the exact position of a scan with break-glass access.',
    ),
    ADMIN_SCAN_READ: defineAuditAction(
      'HIGH',
      'SCAN',
      'An administrator read a scan, without its exact position.',
    ),
  },
  permissions: {
    'scans:own': {
      roles: EVERY_ROLE,
      meaning: 'Read scans of your own codes and scan while signed in.',
      scopes: { read: 'scans:read', write: 'scans:write' },
      accountRoles: ROLES_OF_RECORDS,
    },
    'dashboard:own': {
      roles: EVERY_ROLE,
      meaning: 'Read your own dashboard.',
      scopes: { read: 'dashboard:read' },
      accountRoles: ROLES_OF_RECORDS,
    },
    'scans:read-any': { roles: ['ADMIN'], meaning: 'Read any scan, without its exact position.' },
  },
  encryptedColumns: [
    {
      table: 'scans',
      column: 'position',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SCAN',
    },
    {
      table: 'scans',
      column: 'address',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SCAN',
    },
    {
      table: 'scan_locations',
      column: 'position',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'scan_locations',
      column: 'address',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'geocoded_cells',
      column: 'place',
      rowId: 'id',
      owner: null,
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
