import type { Database } from '../../platform/database.ts';
import { openTransaction } from '../../platform/driver-transaction.ts';
import type { AuditKeys } from './audit-keys.ts';
import { databaseSource } from './database-source.ts';
import { TrailContradictionError, takeCheckpoint } from './write-checkpoints.ts';

/** What the first line of an exported trail calls itself. */
export const EXPORT_FORMAT = 'qr-profile-service/audit-export/v1';

/**
 * The sealed trail as lines of JSON, without their ends, as one snapshot shows it: a header, the checkpoints of dropped
 * ranges, entries with the batches that sign them, and a signed end (docs/audit-trail.md). It needs nothing but the
 * public keys to be verified. Entries that are not sealed yet are not in it. Holds a connection until it is read or
 * given up.
 */
export async function* exportTrail(services: {
  database: Pick<Database, 'pool'>;
  keys: AuditKeys;
}): AsyncGenerator<string> {
  const { database, keys } = services;
  const { connection, end } = await openTransaction(database, 'SNAPSHOT');
  try {
    const publicKeys = [...keys.known.values()].map(({ bytes }) => bytes.toString('base64'));
    const exportedAt = new Date().toISOString();
    yield JSON.stringify({ type: 'header', format: EXPORT_FORMAT, exportedAt, publicKeys });

    const source = databaseSource(connection);
    const dropped = await source.droppedRanges();
    for (const range of dropped) yield JSON.stringify({ type: 'dropped', ...range });

    const start = dropped.at(-1)?.lastSequence ?? 0;
    const batches = source.batches(start)[Symbol.asyncIterator]();
    let batch = await batches.next();
    for await (const { sequence, entryId, sealHash, entry } of source.sealedEntries(start)) {
      while (!batch.done && batch.value.lastSequence < sequence) {
        yield JSON.stringify({ type: 'batch', ...batch.value });
        batch = await batches.next();
      }
      yield JSON.stringify({ type: 'entry', sequence, entryId, sealHash, entry });
    }
    for (; !batch.done; batch = await batches.next()) yield JSON.stringify({ type: 'batch', ...batch.value });

    // A trail that is not proved can be exported too, for those who look into it.
    const checkpoint = await takeCheckpoint(connection, keys).catch((error: unknown) => {
      if (error instanceof TrailContradictionError) return null;
      throw error;
    });
    yield JSON.stringify({ type: 'end', checkpoint });
  } finally {
    await end('ROLLBACK');
  }
}
