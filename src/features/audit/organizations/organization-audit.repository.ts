import { querySql, type SqlConnection, sql } from '../../../platform/sql.ts';
import { AUDIT_ENTRY_COLUMNS_SQL, BATCH_COLUMNS_SQL, type BatchRow, toBatch } from '../trail.repository.ts';
import type { AuditBatch, AuditTrailEntry, SignedAuditStatement } from '../trail-format.rules.ts';

/** An entry with its seal and the one before; both are null while it waits. */
export interface ChainedAuditEntry {
  entry: AuditTrailEntry;
  sequence: number | null;
  sealHash: string | null;
  previousHash: string | null;
  isQueued: boolean;
}

const SELECT_CHAINED_ENTRIES_SQL = `
  SELECT seal.sequence, encode(seal.seal_hash, 'hex') AS "sealHash", encode(previous.seal_hash, 'hex') AS "previousHash",
         EXISTS (SELECT FROM audit_unsealed WHERE entry_id = entry.id) AS "isQueued", ${AUDIT_ENTRY_COLUMNS_SQL}
  FROM audit_entries AS entry
  LEFT JOIN audit_seals AS seal ON seal.entry_id = entry.id
  LEFT JOIN audit_seals AS previous ON previous.sequence = seal.sequence - 1
  WHERE entry.id = ANY ($1::text[])`;

const SELECT_BATCHES_OF_SEQUENCES_SQL = `
  SELECT DISTINCT ON (batch."lastSequence") batch.*
  FROM unnest($1::bigint[]) AS wanted (sequence)
  CROSS JOIN LATERAL (
    SELECT ${BATCH_COLUMNS_SQL} FROM audit_seal_batches WHERE last_sequence >= wanted.sequence
    ORDER BY last_sequence LIMIT 1) AS batch
  ORDER BY batch."lastSequence"`;

export async function findChainedAuditEntries(
  connection: SqlConnection,
  ids: readonly string[],
): Promise<ChainedAuditEntry[]> {
  type Row = AuditTrailEntry & Omit<ChainedAuditEntry, 'entry' | 'sequence'> & { sequence: bigint | null };
  const rows = await querySql<Row>(connection)({ text: SELECT_CHAINED_ENTRIES_SQL, values: [[...ids]] });
  return rows.map(({ sequence, sealHash, previousHash, isQueued, ...entry }) => ({
    entry,
    sequence: sequence === null ? null : Number(sequence),
    sealHash,
    previousHash,
    isQueued,
  }));
}

/** Find the signed batches that entries were sealed in. */
export async function findBatchesOfSequences(
  connection: SqlConnection,
  sequences: readonly number[],
): Promise<SignedAuditStatement<AuditBatch>[]> {
  const rows = await querySql<BatchRow>(connection)({
    text: SELECT_BATCHES_OF_SEQUENCES_SQL,
    values: [[...sequences]],
  });
  return rows.map(toBatch);
}

/** Get the names of those of some users who are members of an organization. */
export async function listMemberNames(
  connection: SqlConnection,
  accountId: string,
  userIds: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await querySql<{ userId: string; name: string | null }>(connection)(sql`
    SELECT member.id AS "userId", nullif(concat_ws(' ', member.first_name, member.last_name), '') AS name
    FROM memberships AS membership JOIN users AS member ON member.id = membership.user_id
    WHERE membership.account_id = ${accountId} AND membership.user_id = ANY (${[...userIds]}::text[])`);
  return new Map(rows.map(({ userId, name }) => [userId, name]));
}
