import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const scansCatalogue = defineCatalogue({
  errors: {
    PIN_INCORRECT: defineError(
      403,
      'The PIN is wrong.',
      '`attemptsLeft` says how many tries remain. Public facts stay readable without a PIN.',
    ),
    SCAN_TOKEN_INVALID: defineError(
      403,
      'The scan token is missing or wrong.',
      'Send the `scanToken` of the scan in the header X-Scan-Token; it is valid for seven days.',
    ),
    LOCATION_TRAIL_CLOSED: defineError(
      409,
      'The scan accepts no further positions.',
      'A scan accepts up to 20 positions within 24 hours. Positions sent before are kept.',
    ),
    CODE_UNCLAIMED: defineError(
      404,
      'Nobody has claimed the code yet.',
      'It was printed before it has content. No request makes or claims such a code; the status is reserved.',
    ),
    CODE_PAUSED: defineError(
      410,
      'The code is paused.',
      'Its owner switched it off for now. `contactable` says whether the owner can be written to.',
    ),
    CODE_EXPIRED: defineError(
      410,
      'The code is expired.',
      'Its owner let it end. `contactable` says whether the owner can be written to.',
    ),
  },
  auditActions: {
    MEDICAL_DATA_SCANNED: defineAction('MEDIUM', 'QRCODE', 'A scan showed content of a medical code.'),
    PIN_REJECTED: defineAction('MEDIUM', 'SCAN', 'A wrong PIN was given for a code.'),
    SCANS_EXPORTED: defineAction(
      'MEDIUM',
      'USER',
      'A person exported the scans of their codes, with exact positions.',
    ),
    SCAN_LOCATED: defineAction('LOW', 'SCAN', 'A position was given for an existing scan.'),
    SCAN_UNLOCKED: defineAction('LOW', 'SCAN', 'The right PIN was given for an existing scan.'),
    BREAK_GLASS_SCAN_READ: defineAction(
      'CRITICAL',
      'SCAN',
      'An administrator read the exact position of a scan in an emergency.',
    ),
    ADMIN_SCAN_READ: defineAction(
      'HIGH',
      'SCAN',
      'An administrator read a scan, without its exact position.',
    ),
  },
  permissions: {
    'scans:own': {
      roles: EVERY_ROLE,
      meaning: "Read scans of the own account's codes and scan while signed in.",
    },
    'dashboard:own': { roles: EVERY_ROLE, meaning: 'Read the own dashboard.' },
    'scans:read-any': { roles: ['ADMIN'], meaning: 'Read any scan, without its exact position.' },
  },
  encryptedColumns: [
    {
      table: 'scans',
      column: 'position',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SCAN',
    },
    {
      table: 'scans',
      column: 'address',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SCAN',
    },
    {
      table: 'scan_locations',
      column: 'position',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'scan_locations',
      column: 'address',
      rowId: 'id',
      owner: 'owner_id',
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
