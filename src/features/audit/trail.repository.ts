import type { PgConnection } from '../../platform/driver-transaction.ts';
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
  to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"`;

const BATCH_COLUMNS = `
  first_sequence AS "firstSequence", last_sequence AS "lastSequence", encode(last_hash, 'hex') AS "lastHash",
  encode(members, 'hex') AS members, key_id AS "keyId", encode(signature, 'hex') AS signature,
  to_char(signed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "signedAt"`;

const SELECT_SEALED_ENTRIES_SQL = `
  SELECT seal.sequence, seal.entry_id AS "entryId", encode(seal.seal_hash, 'hex') AS "sealHash", ${AUDIT_ENTRY_COLUMNS_SQL}
  FROM audit_seals AS seal LEFT JOIN audit_entries AS entry ON entry.id = seal.entry_id
  WHERE seal.sequence > $1 ORDER BY seal.sequence LIMIT $2`;

type BatchRow = Omit<SignedAuditStatement<AuditBatch>, 'firstSequence' | 'lastSequence'> & {
  firstSequence: string;
  lastSequence: string;
};

export async function listSignedAuditBatches(
  connection: PgConnection,
  after: number,
  take: number,
): Promise<SignedAuditStatement<AuditBatch>[]> {
  const { rows } = await connection.query<BatchRow>(
    `SELECT ${BATCH_COLUMNS} FROM audit_seal_batches WHERE last_sequence > $1 ORDER BY last_sequence LIMIT $2`,
    [after, take],
  );
  return rows.map(toBatch);
}

/** Find the newest signed batch; null while nothing is sealed. */
export async function findLastSignedAuditBatch(
  connection: PgConnection,
): Promise<SignedAuditStatement<AuditBatch> | null> {
  const { rows } = await connection.query<BatchRow>(
    `SELECT ${BATCH_COLUMNS} FROM audit_seal_batches ORDER BY last_sequence DESC LIMIT 1`,
  );
  return rows[0] ? toBatch(rows[0]) : null;
}

/** Find sealed entries in order; `entry` is null if the entry is missing. */
export async function listSealedAuditEntries(
  connection: PgConnection,
  after: number,
  take: number,
): Promise<SealedAuditEntry[]> {
  type Row = { [Key in keyof AuditTrailEntry]: AuditTrailEntry[Key] } & Record<
    'sequence' | 'entryId' | 'sealHash',
    string
  >;
  const { rows } = await connection.query<Row>(SELECT_SEALED_ENTRIES_SQL, [after, take]);
  return rows.map(({ sequence, entryId, sealHash, ...entry }) => ({
    sequence: Number(sequence),
    entryId,
    sealHash,
    entry: entry.id === null ? null : entry,
  }));
}

export async function listDroppedAuditRanges(connection: PgConnection): Promise<DroppedAuditRange[]> {
  const { rows } = await connection.query<{
    first: string;
    last: string;
    checkpoint: SignedAuditStatement<AuditCheckpoint>;
  }>(
    'SELECT first_sequence AS first, last_sequence AS last, checkpoint FROM audit_dropped_ranges ORDER BY last_sequence',
  );
  return rows.map(({ first, last, checkpoint }) => ({
    firstSequence: Number(first),
    lastSequence: Number(last),
    checkpoint,
  }));
}

export async function auditEntryExists(connection: PgConnection, entryId: string): Promise<boolean> {
  return selectExists(connection, 'SELECT FROM audit_entries WHERE id = $1', entryId);
}

/** Whether any batch contains this entry. Reads all batches. */
export async function isAuditEntryInAnyBatch(connection: PgConnection, entryId: string): Promise<boolean> {
  return selectExists(
    connection,
    `SELECT FROM audit_seal_batches WHERE position(decode($1, 'hex') IN members) > 0`,
    entryId,
  );
}

/** Get the identity of the database and the transaction counter of its server. */
export async function getDatabaseIdentityAndTransaction(
  connection: PgConnection,
): Promise<Pick<AuditCheckpoint, 'database' | 'transaction'>> {
  const { rows } = await connection.query<Pick<AuditCheckpoint, 'database' | 'transaction'>>(
    `SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || '.' || 'audit_seals'::regclass::oid
              AS database,
            pg_snapshot_xmax(pg_current_snapshot())::text AS transaction`,
  );
  if (!rows[0]) throw new Error('The query for the database state returned no row.');
  return rows[0];
}

/** Scan a page of entries by id for one that was never queued for sealing. */
export async function findUnqueuedAuditEntryInPage(
  connection: PgConnection,
  after: string,
  take: number,
): Promise<{ scanned: number; last: string | null; unqueued: string | null }> {
  const { rows } = await connection.query<{ scanned: string; last: string | null; unqueued: string | null }>(
    `WITH page AS (SELECT id FROM audit_entries WHERE id > $1 ORDER BY id LIMIT $2)
     SELECT count(*) AS scanned, max(id) AS last,
            min(id) FILTER (WHERE NOT EXISTS (SELECT FROM audit_seals WHERE entry_id = id)
                              AND NOT EXISTS (SELECT FROM audit_unsealed WHERE entry_id = id)) AS unqueued
     FROM page`,
    [after, take],
  );
  return {
    scanned: Number(rows[0]?.scanned ?? 0),
    last: rows[0]?.last ?? null,
    unqueued: rows[0]?.unqueued ?? null,
  };
}

/** Get how many entries wait for the sealer, since when, and one that was removed before it was sealed. */
export async function getUnsealedAuditEntryStatus(
  connection: PgConnection,
): Promise<{ count: number; since: string | null; removed: string | null }> {
  const { rows } = await connection.query<{ count: string; since: string | null; removed: string | null }>(
    `SELECT count(*), min(entry_id) FILTER (WHERE entry.id IS NULL) AS removed,
            to_char(min(entry.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since
     FROM audit_unsealed LEFT JOIN audit_entries AS entry ON entry.id = entry_id`,
  );
  return {
    count: Number(rows[0]?.count ?? 0),
    since: rows[0]?.since ?? null,
    removed: rows[0]?.removed ?? null,
  };
}

async function selectExists(connection: PgConnection, select: string, id: string): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(`SELECT EXISTS (${select}) AS found`, [id]);
  return rows[0]?.found ?? false;
}

function toBatch(row: BatchRow): SignedAuditStatement<AuditBatch> {
  return { ...row, firstSequence: Number(row.firstSequence), lastSequence: Number(row.lastSequence) };
}
