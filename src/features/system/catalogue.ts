import { defineAuditAction, defineCatalogue } from '../../shared/catalogue.ts';

export const systemCatalogue = defineCatalogue({
  auditActions: {
    FILES_CHECKED: defineAuditAction('MEDIUM', 'SYSTEM', 'Stored files were compared with the database.'),
    DATABASE_RESTORED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'The database and the files were restored from a backup.',
    ),
  },
});
