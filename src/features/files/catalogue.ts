import { defineCatalogue } from '../../shared/catalogue.ts';

export const filesCatalogue = defineCatalogue({
  encryptedColumns: [
    {
      table: 'stored_files',
      column: 'file_key',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
