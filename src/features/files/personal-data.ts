import { definePersonalData, defineTableDeletedOnErasure } from '../../platform/personal-data.ts';
import { markOwnerFilesRemoved } from './stored-file.repository.ts';

/** An archive contains no other archives. */
const INCLUDED_FILES =
  "state = 'STORED' AND NOT EXISTS (SELECT FROM data_exports WHERE data_exports.file_id = stored_files.id)";

export const filesPersonalData = definePersonalData({
  tables: {
    stored_files: defineTableDeletedOnErasure(
      { not: 'file keys; the files themselves are in the archive' },
      {
        how: 'Keys are deleted first, so that the files cannot be decrypted; the job deletes the files.',
        erase: async (tx, { userId }, { limit }) => (await markOwnerFilesRemoved(tx, userId, limit)) < limit,
        size: { users: ['owner_id'], bytes: 'size', where: INCLUDED_FILES, isUncounted: true },
      },
    ),
    picture_renditions: defineTableDeletedOnErasure(
      { not: 'smaller sizes of pictures in the archive' },
      { how: 'With their pictures.' },
    ),
  },
});
