import { defineAuditAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';

export const moderationCatalogue = defineCatalogue({
  errors: {
    CODE_ALREADY_TAKEN_DOWN: defineError(
      409,
      'The code is already taken down.',
      'Read the takedown with GET /api/admin/qrcodes/<id>/takedown.',
    ),
    CODE_NOT_TAKEN_DOWN: defineError(
      409,
      'The code is not taken down.',
      'There is nothing to reinstate or to appeal against.',
    ),
    APPEAL_ALREADY_OPEN: defineError(
      409,
      'An appeal is already open.',
      'Wait for the decision. You will be notified.',
    ),
    APPEAL_ALREADY_DECIDED: defineError(
      409,
      'The appeal has already been decided.',
      'An appeal can be decided only once. Read it with GET /api/admin/qrcode-appeals/<id>.',
    ),
    NO_OPEN_REPORTS: defineError(
      409,
      'The code has no open reports.',
      'Another administrator may have decided them.',
    ),
  },
  auditActions: {
    QRCODE_REPORTED: defineAuditAction('MEDIUM', 'SYSTEM', 'A stranger reported a QR code.'),
    QRCODE_TAKEN_DOWN: defineAuditAction('HIGH', 'QRCODE', 'An administrator took a QR code down.'),
    QRCODE_REINSTATED: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator reinstated a QR code that was taken down.',
    ),
    QRCODE_APPEALED: defineAuditAction(
      'MEDIUM',
      'QRCODE',
      'An owner appealed against the takedown of a QR code.',
    ),
    QRCODE_APPEAL_REJECTED: defineAuditAction(
      'HIGH',
      'QRCODE',
      'An administrator rejected an appeal against the takedown of a QR code.',
    ),
  },
  encryptedColumns: [
    {
      table: 'qr_code_reports',
      column: 'note',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'qr_code_takedowns',
      column: 'reason',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'qr_code_appeals',
      column: 'message',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'qr_code_appeals',
      column: 'answer',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
