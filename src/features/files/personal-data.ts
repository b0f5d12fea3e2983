import { defineDeletedTable, definePersonalData } from '../../platform/personal-data.ts';
import { markOwnerFilesRemoved } from './stored-file.repository.ts';

export const filesPersonalData = definePersonalData({
  tables: {
    stored_files: defineDeletedTable(
      { not: 'keys of files; the files themselves are in the archive' },
      {
        how: 'Their keys at once, so that nothing opens them; their bytes by the job.',
        erase: async (tx, { userId }, { limit }) => (await markOwnerFilesRemoved(tx, userId, limit)) < limit,
        size: { users: ['owner_id'], bytes: 'size', where: "state = 'STORED'", isUncounted: true },
      },
    ),
    picture_renditions: defineDeletedTable(
      { not: 'smaller sizes of pictures that are in it' },
      { how: 'With their pictures.' },
    ),
  },
});
