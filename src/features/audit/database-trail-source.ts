import type { DriverConnection } from '../../platform/driver-transaction.ts';
import {
  auditEntryExists,
  findDroppedRanges,
  findSealedEntries,
  findSignedBatches,
  getDatabaseState,
  isEntryInBatch,
} from './trail.repository.ts';
import type { TrailSource } from './trail-source.ts';

const BATCH_PAGE_SIZE = 200;
const ENTRY_PAGE_SIZE = 2_000;

/** Create a source that reads the trail of the database within one snapshot. */
export function createDatabaseTrailSource(connection: DriverConnection): TrailSource {
  return {
    listDroppedRanges: () => findDroppedRanges(connection),
    streamBatches: (after) =>
      iteratePages(
        after,
        BATCH_PAGE_SIZE,
        (from, take) => findSignedBatches(connection, from, take),
        (batch) => batch.lastSequence,
      ),
    streamSealedEntries: (after) =>
      iteratePages(
        after,
        ENTRY_PAGE_SIZE,
        (from, take) => findSealedEntries(connection, from, take),
        (entry) => entry.sequence,
      ),
    hasEntry: (entryId) => auditEntryExists(connection, entryId),
    isInBatch: (entryId) => isEntryInBatch(connection, entryId),
    getState: () => getDatabaseState(connection),
  };
}

async function* iteratePages<Row>(
  after: number,
  take: number,
  read: (after: number, take: number) => Promise<Row[]>,
  getSequence: (row: Row) => number,
): AsyncGenerator<Row> {
  for (let from = after; ; ) {
    const rows = await read(from, take);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < take) return;
    from = getSequence(last);
  }
}
