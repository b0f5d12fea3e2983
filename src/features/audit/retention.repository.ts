import type { Tx } from '../../platform/database.ts';
import { querySql, type SqlConnection } from '../../platform/sql.ts';
import { listSignedAuditBatches } from './trail.repository.ts';
import type { AuditBatch, AuditCheckpoint, SignedAuditStatement } from './trail-format.rules.ts';

/** Find the last batch of at most `take` entries that are all past retention; null if there is none or no retention. */
export async function findLastExpiredAuditBatch(
  connection: SqlConnection,
  take: number,
): Promise<SignedAuditStatement<AuditBatch> | null> {
  const rows = await querySql<{ last: bigint | null }>(connection)({
    text: `WITH start AS (SELECT coalesce(max(last_sequence), 0) AS place FROM audit_dropped_ranges),
          young AS (
            SELECT min(seal.sequence) AS place
            FROM (SELECT sequence, entry_id FROM audit_seals ORDER BY sequence LIMIT $1) AS seal
            LEFT JOIN audit_entries AS entry ON entry.id = seal.entry_id
            WHERE entry.created_at IS NULL
               OR entry.created_at >= (SELECT now() - make_interval(days => days) FROM audit_retention)
          )
     SELECT max(last_sequence) AS last FROM audit_seal_batches
     WHERE EXISTS (SELECT FROM audit_retention)
       AND last_sequence <= (SELECT place FROM start) + $1
       AND last_sequence < coalesce((SELECT place FROM young), 9223372036854775807)
       AND last_sequence < (SELECT max(last_sequence) FROM audit_seal_batches)`,
    values: [take],
  });
  const last = rows[0]?.last;
  return last ? ((await listSignedAuditBatches(connection, Number(last) - 1, 1))[0] ?? null) : null;
}

/** Drop the oldest entries up to a signed checkpoint; the database checks their age. Returns how many. */
export async function dropAuditRange(
  tx: Tx,
  checkpoint: SignedAuditStatement<AuditCheckpoint>,
): Promise<number> {
  const rows = await querySql<{ dropped: bigint }>(tx)`
    SELECT drop_audit_range(${JSON.stringify(checkpoint)}::jsonb) AS dropped`;
  return Number(rows[0]?.dropped ?? 0);
}
