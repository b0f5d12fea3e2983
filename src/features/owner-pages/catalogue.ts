import { defineCatalogue } from '../../shared/catalogue.ts';

export const ownerPagesCatalogue = defineCatalogue({
  encryptedColumns: [
    {
      table: 'code_drafts',
      column: 'content',
      rowId: 'id',
      // It belongs to nobody yet.
      owner: 'id',
      algorithm: 'GCM',
      resourceType: 'QRCODE',
    },
    {
      table: 'code_drafts',
      column: 'picture',
      rowId: 'id',
      owner: 'id',
      algorithm: 'GCM',
      resourceType: 'QRCODE',
    },
  ],
});
