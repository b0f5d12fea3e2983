import { defineAuditAction, defineCatalogue } from '../../shared/catalogue.ts';

export const mailCatalogue = defineCatalogue({
  auditActions: {
    MAILS_SUPPRESSED: defineAuditAction(
      'LOW',
      'SYSTEM',
      'The recipient of an email stopped all emails that others can cause.',
    ),
    MAILS_ALLOWED: defineAuditAction('LOW', 'SYSTEM', 'The recipient of an email allowed such emails again.'),
  },
  encryptedColumns: [
    {
      table: 'outgoing_mails',
      column: 'content',
      rowId: 'id',
      owner: null,
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
