import { defineAction, defineCatalogue } from '../../shared/catalogue.ts';

export const systemCatalogue = defineCatalogue({
  auditActions: {
    FILES_CHECKED: defineAction('MEDIUM', 'SYSTEM', 'Stored files were compared with the database.'),
  },
});
