import { defineAuditAction, defineCatalogue } from '../../shared/catalogue.ts';

export const systemCatalogue = defineCatalogue({
  auditActions: {
    FILES_CHECKED: defineAuditAction('MEDIUM', 'SYSTEM', 'Stored files were compared with the database.'),
  },
});
