import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const codesCatalogue = defineCatalogue({
  errors: {
    IMAGE_NOT_SCANNABLE: defineError(
      400,
      'The image would not scan.',
      'The drawn code could not be read back. `detail` says why: too little contrast, too much content, or a logo too large.',
    ),
    IMMUTABLE_FIELD: defineError(
      409,
      'The field cannot be changed.',
      'kind, mode and the content of a STATIC code are fixed once made. Make a new code.',
    ),
  },
  auditActions: {
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
    QRCODE_IMAGES_REBUILT: defineAction('MEDIUM', 'QRCODE', 'Images were drawn again by a command.'),
    MEDICAL_DATA_READ: defineAction(
      'MEDIUM',
      'QRCODE',
      'The owner read the content of a medical code. What a change of one answers is told by its own entry.',
    ),
    MEDICAL_DATA_LISTED: defineAction(
      'MEDIUM',
      'QRCODE',
      'A medical code was in a list that its owner read.',
    ),
    BREAK_GLASS_QRCODE_READ: defineAction(
      'CRITICAL',
      'QRCODE',
      'An administrator read the content of a code in an emergency.',
    ),
  },
  permissions: {
    'qrcodes:own': {
      roles: EVERY_ROLE,
      meaning: 'Make, read, change and delete QR codes of the own account.',
    },
  },
  encryptedColumns: [
    {
      table: 'qr_codes',
      column: 'data',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: { cbcHmacWhere: { column: 'kind', value: 'MEDICAL' } },
      resourceType: 'QRCODE',
    },
    {
      table: 'qr_codes',
      column: 'lost_details',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'QRCODE',
    },
  ],
});
