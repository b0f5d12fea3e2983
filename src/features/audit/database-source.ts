import type { Connection } from '../../platform/driver-transaction.ts';
import {
  findBatches,
  findDroppedRanges,
  findSealedEntries,
  findState,
  hasEntry,
  isMember,
} from './trail.repository.ts';
import type { TrailSource } from './trail-source.ts';

const BATCHES_AT_ONCE = 200;
const ENTRIES_AT_ONCE = 2_000;

/** The trail of the database, as one snapshot shows it. */
export function databaseSource(connection: Connection): TrailSource {
  return {
    droppedRanges: () => findDroppedRanges(connection),
    batches: (after) =>
      paged(
        after,
        BATCHES_AT_ONCE,
        (from, take) => findBatches(connection, from, take),
        (batch) => batch.lastSequence,
      ),
    sealedEntries: (after) =>
      paged(
        after,
        ENTRIES_AT_ONCE,
        (from, take) => findSealedEntries(connection, from, take),
        (entry) => entry.sequence,
      ),
    hasEntry: (entryId) => hasEntry(connection, entryId),
    isMember: (entryId) => isMember(connection, entryId),
    state: () => findState(connection),
  };
}

/** All rows after a place, read in pages. */
async function* paged<Row>(
  after: number,
  take: number,
  read: (after: number, take: number) => Promise<Row[]>,
  placeOf: (row: Row) => number,
): AsyncGenerator<Row> {
  for (let from = after; ; ) {
    const rows = await read(from, take);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < take) return;
    from = placeOf(last);
  }
}
