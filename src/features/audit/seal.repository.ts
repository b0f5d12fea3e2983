import { executeSql, querySql, type SqlConnection } from '../../platform/sql.ts';
import { AUDIT_ENTRY_COLUMNS_SQL } from './trail.repository.ts';
import type { AuditBatch, AuditTrailEntry, SignedAuditStatement } from './trail-format.rules.ts';

// OFFSET 0 keeps the planner from reading all entries when it misjudges the length of the queue. Entries that
// were removed before they were sealed stay in the queue.
const SELECT_UNSEALED_SQL = `
  SELECT ${AUDIT_ENTRY_COLUMNS_SQL} FROM audit_unsealed
  CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE id = audit_unsealed.entry_id OFFSET 0) AS entry
  LIMIT $1`;

// One statement, so that seals and queue never disagree.
const INSERT_BATCH_SQL = `
  WITH sealed AS (
    INSERT INTO audit_seals (sequence, entry_id, seal_hash)
    SELECT $1::bigint + place - 1, entry_id, substring($9::bytea FROM place::int * 32 - 31 FOR 32)
    FROM unnest($8::text[]) WITH ORDINALITY AS made (entry_id, place)
  ), batch AS (
    INSERT INTO audit_seal_batches (first_sequence, last_sequence, last_hash, members, signed_at, key_id, signature)
    VALUES ($1, $2, $3, $4, $5::timestamptz, $6, $7)
  )
  DELETE FROM audit_unsealed WHERE entry_id = ANY ($8::text[])`;

export async function hasUnsealedAuditEntries(connection: SqlConnection): Promise<boolean> {
  const rows = await querySql<{ found: boolean }>(connection)`
    SELECT EXISTS (SELECT FROM audit_unsealed) AS found`;
  return rows[0]?.found ?? false;
}

/** Lock the sealer across instances; false, without waiting, if another one has the lock. */
export async function tryLockAuditSealer(connection: SqlConnection): Promise<boolean> {
  const rows = await querySql<{ mine: boolean }>(connection)`
    SELECT pg_try_advisory_xact_lock(hashtext('qr-profile-service audit sealer')) AS mine`;
  return rows[0]?.mine ?? false;
}

/** Get the end of the chain and the time of the database. Requires the sealer lock. */
export async function getAuditSealChainEnd(
  connection: SqlConnection,
): Promise<{ sequence: number; hash: string | null; now: string }> {
  const rows = await querySql<{ sequence: bigint | null; hash: string | null; now: string }>(connection)`
    SELECT last_sequence AS sequence, encode(last_hash, 'hex') AS hash,
            to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now
     FROM (VALUES (1)) AS one LEFT JOIN
          (SELECT last_sequence, last_hash FROM audit_seal_batches ORDER BY last_sequence DESC LIMIT 1) AS last ON true`;
  const [row] = rows;
  if (!row) throw new Error('The query for the end of the trail returned no row.');
  return { sequence: Number(row.sequence ?? 0), hash: row.hash, now: row.now };
}

/** Find entries that are committed and not sealed, in no order. */
export async function findUnsealedAuditEntries(
  connection: SqlConnection,
  take: number,
): Promise<AuditTrailEntry[]> {
  return querySql<AuditTrailEntry>(connection)({ text: SELECT_UNSEALED_SQL, values: [take] });
}

/** Insert a batch with its seals and remove its entries from the queue. */
export async function insertSealedAuditBatch(
  connection: SqlConnection,
  batch: SignedAuditStatement<AuditBatch>,
  seals: readonly { entryId: string; seal: string }[],
): Promise<void> {
  const { firstSequence, lastSequence, lastHash, members, signedAt, keyId, signature } = batch;
  const ids = seals.map(({ entryId }) => entryId);
  const [hash, memberBytes, signed] = [lastHash, members, signature].map((hex) => Buffer.from(hex, 'hex'));
  const hashes = Buffer.from(seals.map(({ seal }) => seal).join(''), 'hex');
  await executeSql(connection)({
    text: INSERT_BATCH_SQL,
    values: [firstSequence, lastSequence, hash, memberBytes, signedAt, keyId, signed, ids, hashes],
  });
}
