import type { Database } from '../../platform/database.ts';
import { beginPgTransaction } from '../../platform/driver-transaction.ts';
import type { AuditSigner } from './audit-signer.ts';
import { createDatabaseAuditTrailSource } from './database-trail-source.ts';
import type { AuditTrailEntry } from './trail-format.rules.ts';
import { createSignedAuditCheckpoint, TrailContradictionError } from './write-checkpoints.ts';

export const AUDIT_TRAIL_EXPORT_FORMAT = 'qr-profile-service/audit-export/v1';

/**
 * Export the sealed trail as JSON Lines from one snapshot: header, checkpoints of dropped ranges, entries with the
 * batches that sign them, and a signed end (docs/security/audit-trail.md). Only the public keys are needed to verify
 * it. Unsealed entries are not included. Uses a connection until it is read or closed.
 */
export async function* exportAuditTrail(services: {
  database: Pick<Database, 'pool'>;
  signer: AuditSigner;
}): AsyncGenerator<string> {
  const { database, signer } = services;
  const { connection, end } = await beginPgTransaction(database, 'SNAPSHOT');
  try {
    const publicKeys = [...signer.publicKeys.values()].map(({ bytes }) => bytes.toString('base64'));
    const exportedAt = new Date().toISOString();
    yield JSON.stringify({ type: 'header', format: AUDIT_TRAIL_EXPORT_FORMAT, exportedAt, publicKeys });

    const source = createDatabaseAuditTrailSource(connection);
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
      yield JSON.stringify({ type: 'entry', sequence, entryId, sealHash, entry: toExportedEntry(entry) });
    }
    for (; !batch.done; batch = await batches.next()) yield JSON.stringify({ type: 'batch', ...batch.value });

    // A trail that fails verification can still be exported for an investigation.
    const checkpoint = await createSignedAuditCheckpoint(connection, signer).catch((error: unknown) => {
      if (error instanceof TrailContradictionError) return null;
      throw error;
    });
    yield JSON.stringify({ type: 'end', checkpoint });
  } finally {
    await end('ROLLBACK');
  }
}

/** Entries of version 1 are exported as before there was a version 2, so that earlier verifiers read them. */
function toExportedEntry(entry: AuditTrailEntry | null): AuditTrailEntry | null {
  if (entry?.accountReference !== null) return entry;
  const { accountReference, ...earlier } = entry;
  return earlier;
}
