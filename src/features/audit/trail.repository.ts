import { querySql, type SqlConnection } from '../../platform/sql.ts';
import type {
  AuditBatch,
  AuditCheckpoint,
  AuditTrailEntry,
  SignedAuditStatement,
} from './trail-format.rules.ts';
import type { DroppedAuditRange, SealedAuditEntry } from './trail-source.ts';

/** The columns of an entry as text, with the names of AuditTrailEntry. */
export const AUDIT_ENTRY_COLUMNS_SQL = `
  entry.id, entry.action, entry.severity, entry.resource_type AS "resourceType", entry.resource_id AS "resourceId",
  entry.actor_reference AS "actorReference", entry.subject_reference AS "subjectReference", entry.outcome, entry.operation, encode(entry.ip_hash, 'hex') AS "ipHash",
  encode(entry.user_agent_hash, 'hex') AS "userAgentHash", entry.request_id AS "requestId", entry.changes,
  to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
  entry.account_reference AS "accountReference"`;

/** Those of SignedAuditStatement<AuditBatch>. */
export const BATCH_COLUMNS_SQL = `
  first_sequence AS "firstSequence", last_sequence AS "lastSequence", encode(last_hash, 'hex') AS "lastHash",
  encode(members, 'hex') AS members, key_id AS "keyId", encode(signature, 'hex') AS signature,
  to_char(signed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "signedAt"`;

const SELECT_SEALED_ENTRIES_SQL = `
  SELECT seal.sequence, seal.entry_id AS "entryId", encode(seal.seal_hash, 'hex') AS "sealHash", ${AUDIT_ENTRY_COLUMNS_SQL}
  FROM audit_seals AS seal LEFT JOIN audit_entries AS entry ON entry.id = seal.entry_id
  WHERE seal.sequence > $1 ORDER BY seal.sequence LIMIT $2`;

export type BatchRow = Omit<SignedAuditStatement<AuditBatch>, 'firstSequence' | 'lastSequence'> & {
  firstSequence: bigint;
  lastSequence: bigint;
};

export async function listSignedAuditBatches(
  connection: SqlConnection,
  after: number,
  take: number,
): Promise<SignedAuditStatement<AuditBatch>[]> {
  const rows = await querySql<BatchRow>(connection)({
    text: `SELECT ${BATCH_COLUMNS_SQL} FROM audit_seal_batches WHERE last_sequence > $1 ORDER BY last_sequence LIMIT $2`,
    values: [after, take],
  });
  return rows.map(toBatch);
}

/** Find the newest signed batch; null while nothing is sealed. */
export async function findLastSignedAuditBatch(
  connection: SqlConnection,
): Promise<SignedAuditStatement<AuditBatch> | null> {
  const rows = await querySql<BatchRow>(connection)({
    text: `SELECT ${BATCH_COLUMNS_SQL} FROM audit_seal_batches ORDER BY last_sequence DESC LIMIT 1`,
  });
  return rows[0] ? toBatch(rows[0]) : null;
}

/** Find sealed entries in order; `entry` is null if the entry is missing. */
export async function listSealedAuditEntries(
  connection: SqlConnection,
  after: number,
  take: number,
): Promise<SealedAuditEntry[]> {
  type Row = AuditTrailEntry & { sequence: bigint; entryId: string; sealHash: string };
  const rows = await querySql<Row>(connection)({ text: SELECT_SEALED_ENTRIES_SQL, values: [after, take] });
  return rows.map(({ sequence, entryId, sealHash, ...entry }) => ({
    sequence: Number(sequence),
    entryId,
    sealHash,
    entry: entry.id === null ? null : entry,
  }));
}

export async function listDroppedAuditRanges(connection: SqlConnection): Promise<DroppedAuditRange[]> {
  const rows = await querySql<{
    first: bigint;
    last: bigint;
    checkpoint: SignedAuditStatement<AuditCheckpoint>;
  }>(connection)`
    SELECT first_sequence AS first, last_sequence AS last, checkpoint FROM audit_dropped_ranges ORDER BY last_sequence`;
  return rows.map(({ first, last, checkpoint }) => ({
    firstSequence: Number(first),
    lastSequence: Number(last),
    checkpoint,
  }));
}

export async function auditEntryExists(connection: SqlConnection, entryId: string): Promise<boolean> {
  return selectExists(connection, 'SELECT FROM audit_entries WHERE id = $1', entryId);
}

/** Whether any batch contains this entry. Reads all batches. */
export async function isAuditEntryInAnyBatch(connection: SqlConnection, entryId: string): Promise<boolean> {
  return selectExists(
    connection,
    `SELECT FROM audit_seal_batches WHERE position(decode($1, 'hex') IN members) > 0`,
    entryId,
  );
}

/** Get the identity of the database and the transaction counter of its server. */
export async function getDatabaseIdentityAndTransaction(
  connection: SqlConnection,
): Promise<Pick<AuditCheckpoint, 'database' | 'transaction'>> {
  const rows = await querySql<Pick<AuditCheckpoint, 'database' | 'transaction'>>(connection)`
    SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || '.' || 'audit_seals'::regclass::oid
              AS database,
            pg_snapshot_xmax(pg_current_snapshot())::text AS transaction`;
  if (!rows[0]) throw new Error('The query for the database state returned no row.');
  return rows[0];
}

/** Scan a page of entries by id for one that was never queued for sealing. */
export async function findUnqueuedAuditEntryInPage(
  connection: SqlConnection,
  after: string,
  take: number,
): Promise<{ scanned: number; last: string | null; unqueued: string | null }> {
  type Row = { scanned: number; last: string | null; unqueued: string | null };
  const rows = await querySql<Row>(connection)({
    text: `WITH page AS (SELECT id FROM audit_entries WHERE id > $1 ORDER BY id LIMIT $2)
     SELECT count(*)::int AS scanned, max(id) AS last,
            min(id) FILTER (WHERE NOT EXISTS (SELECT FROM audit_seals WHERE entry_id = id)
                              AND NOT EXISTS (SELECT FROM audit_unsealed WHERE entry_id = id)) AS unqueued
     FROM page`,
    values: [after, take],
  });
  return rows[0] ?? { scanned: 0, last: null, unqueued: null };
}

/** Get how many entries wait for the sealer, since when, and one that was removed before it was sealed. */
export async function getUnsealedAuditEntryStatus(
  connection: SqlConnection,
): Promise<{ count: number; since: string | null; removed: string | null }> {
  type Row = { count: number; since: string | null; removed: string | null };
  const rows = await querySql<Row>(connection)`
     SELECT count(*)::int AS count, min(entry_id) FILTER (WHERE entry.id IS NULL) AS removed,
            to_char(min(entry.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since
     FROM audit_unsealed LEFT JOIN audit_entries AS entry ON entry.id = entry_id`;
  return rows[0] ?? { count: 0, since: null, removed: null };
}

async function selectExists(connection: SqlConnection, select: string, id: string): Promise<boolean> {
  const rows = await querySql<{ found: boolean }>(connection)({
    text: `SELECT EXISTS (${select}) AS found`,
    values: [id],
  });
  return rows[0]?.found ?? false;
}

export function toBatch(row: BatchRow): SignedAuditStatement<AuditBatch> {
  return { ...row, firstSequence: Number(row.firstSequence), lastSequence: Number(row.lastSequence) };
}
