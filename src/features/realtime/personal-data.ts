import { defineDeletedTable, definePersonalData } from '../../platform/personal-data.ts';
import { deleteRealtimeStream } from './personal-data.repository.ts';

export const realtimePersonalData = definePersonalData({
  tables: {
    realtime_streams: defineDeletedTable(
      { not: 'numbers alone' },
      { how: 'The account’s, and with their conversations those of the finders.' },
    ),
    realtime_events: defineDeletedTable(
      { not: 'ids of what is in the archive, kept for seven days' },
      {
        how: 'The account’s, and with their conversations those of the finders.',
        erase: deleteRealtimeStream,
      },
    ),
  },
});
