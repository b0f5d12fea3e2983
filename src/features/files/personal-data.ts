import { definePersonalData, defineTableDeletedOnErasure } from '../../platform/personal-data.ts';
import { markOwnerFilesRemoved } from './stored-file.repository.ts';

export const filesPersonalData = definePersonalData({
  tables: {
    stored_files: defineTableDeletedOnErasure(
      { not: 'file keys; the files themselves are in the archive' },
      {
        how: 'Keys are deleted first, so that the files cannot be decrypted; the job deletes the files.',
        erase: async (tx, { userId }, { limit }) => (await markOwnerFilesRemoved(tx, userId, limit)) < limit,
        size: { users: ['owner_id'], bytes: 'size', where: "state = 'STORED'", isUncounted: true },
      },
    ),
    picture_renditions: defineTableDeletedOnErasure(
      { not: 'smaller sizes of pictures in the archive' },
      { how: 'With their pictures.' },
    ),
  },
});
