import type { Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { executeSql } from '../../platform/sql.ts';

/** Delete the events of the user's stream, then the stream. True once none remain. */
export async function deleteUserRealtimeStream(
  tx: Tx,
  { userId }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  const stream = `u:${userId}`;
  const count = await executeSql(tx)`
    DELETE FROM realtime_events WHERE stream = ${stream} AND seq IN (
      SELECT seq FROM realtime_events WHERE stream = ${stream} ORDER BY seq LIMIT ${limit})`;
  if (count === limit) return false;
  await executeSql(tx)`DELETE FROM realtime_streams WHERE stream = ${stream}`;
  return true;
}
