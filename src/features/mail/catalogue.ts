import { defineCatalogue } from '../../shared/catalogue.ts';

export const mailCatalogue = defineCatalogue({
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
