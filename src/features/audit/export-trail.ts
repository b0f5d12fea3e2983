import type { Database } from '../../platform/database.ts';
import { beginTransaction } from '../../platform/driver-transaction.ts';
import type { AuditSigner } from './audit-signer.ts';
import { createDatabaseTrailSource } from './database-trail-source.ts';
import { createSignedCheckpoint, TrailContradictionError } from './write-checkpoints.ts';

/** What the first line of an exported trail calls itself. */
export const TRAIL_EXPORT_FORMAT = 'qr-profile-service/audit-export/v1';

/**
 * The sealed trail as lines of JSON, without their ends, as one snapshot shows it: a header, the checkpoints of dropped
 * ranges, entries with the batches that sign them, and a signed end (docs/security/audit-trail.md). It needs nothing but the
 * public keys to be verified. Entries that are not sealed yet are not in it. Holds a connection until it is read or
 * given up.
 */
export async function* exportAuditTrail(services: {
  database: Pick<Database, 'pool'>;
  signer: AuditSigner;
}): AsyncGenerator<string> {
  const { database, signer } = services;
  const { connection, end } = await beginTransaction(database, 'SNAPSHOT');
  try {
    const publicKeys = [...signer.publicKeys.values()].map(({ bytes }) => bytes.toString('base64'));
    const exportedAt = new Date().toISOString();
    yield JSON.stringify({ type: 'header', format: TRAIL_EXPORT_FORMAT, exportedAt, publicKeys });

    const source = createDatabaseTrailSource(connection);
    const dropped = await source.listDroppedRanges();
    for (const range of dropped) yield JSON.stringify({ type: 'dropped', ...range });

    const start = dropped.at(-1)?.lastSequence ?? 0;
    const batches = source.streamBatches(start)[Symbol.asyncIterator]();
    let batch = await batches.next();
    for await (const { sequence, entryId, sealHash, entry } of source.streamSealedEntries(start)) {
      while (!batch.done && batch.value.lastSequence < sequence) {
        yield JSON.stringify({ type: 'batch', ...batch.value });
        batch = await batches.next();
      }
      yield JSON.stringify({ type: 'entry', sequence, entryId, sealHash, entry });
    }
    for (; !batch.done; batch = await batches.next()) yield JSON.stringify({ type: 'batch', ...batch.value });

    // A trail that is not proved can be exported too, for those who look into it.
    const checkpoint = await createSignedCheckpoint(connection, signer).catch((error: unknown) => {
      if (error instanceof TrailContradictionError) return null;
      throw error;
    });
    yield JSON.stringify({ type: 'end', checkpoint });
  } finally {
    await end('ROLLBACK');
  }
}
