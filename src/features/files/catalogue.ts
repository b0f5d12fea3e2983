import { defineCatalogue, defineError } from '../../shared/catalogue.ts';

export const filesCatalogue = defineCatalogue({
  errors: {
    TOO_MANY_PICTURES: defineError(
      409,
      'There are too many pictures.',
      'A memory tag can have up to 100 pictures, a code up to 10. Delete one first.',
    ),
  },
  encryptedColumns: [
    {
      table: 'stored_files',
      column: 'file_key',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
