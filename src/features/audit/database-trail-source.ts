import type { PgConnection } from '../../platform/driver-transaction.ts';
import {
  auditEntryExists,
  getDatabaseIdentityAndTransaction,
  isAuditEntryInAnyBatch,
  listDroppedAuditRanges,
  listSealedAuditEntries,
  listSignedAuditBatches,
} from './trail.repository.ts';
import type { AuditTrailSource } from './trail-source.ts';

const BATCH_PAGE_SIZE = 200;
const ENTRY_PAGE_SIZE = 2_000;

/** Create a source that reads the trail of the database within one snapshot. */
export function createDatabaseAuditTrailSource(connection: PgConnection): AuditTrailSource {
  return {
    listDroppedRanges: () => listDroppedAuditRanges(connection),
    streamBatches: (after) =>
      iteratePages(
        after,
        BATCH_PAGE_SIZE,
        (from, take) => listSignedAuditBatches(connection, from, take),
        (batch) => batch.lastSequence,
      ),
    streamSealedEntries: (after) =>
      iteratePages(
        after,
        ENTRY_PAGE_SIZE,
        (from, take) => listSealedAuditEntries(connection, from, take),
        (entry) => entry.sequence,
      ),
    hasEntry: (entryId) => auditEntryExists(connection, entryId),
    isInBatch: (entryId) => isAuditEntryInAnyBatch(connection, entryId),
    getState: () => getDatabaseIdentityAndTransaction(connection),
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
