import { definePersonalData, defineTableDeletedOnErasure } from '../../platform/personal-data.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { deleteUserRealtimeStream } from './personal-data.repository.ts';

export const realtimePersonalData = definePersonalData({
  tables: {
    realtime_streams: defineTableDeletedOnErasure(
      { not: 'only ids and sequence numbers' },
      { how: 'The stream of the account. Streams of its conversations are deleted with the conversations.' },
    ),
    realtime_events: defineTableDeletedOnErasure(
      { not: `ids of what is in the archive, kept for ${formatLifetime('realtimeEvent')}` },
      {
        how: 'Events of the account. Events of its conversations are deleted with the conversations.',
        erase: deleteUserRealtimeStream,
      },
    ),
  },
});
