import { defineAction, defineCatalogue } from '../../shared/catalogue.ts';

export const systemCatalogue = defineCatalogue({
  auditActions: {
    FILES_CHECKED: defineAction('MEDIUM', 'SYSTEM', 'Files were compared with what names them.'),
  },
});
