import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { copyRowsToStream } from '../../platform/copy-stream.ts';
import { connectDatabaseClient, type DatabaseClient } from '../../platform/database-client.ts';
import type { CommandProgress } from '../progress.ts';
import { type BackupManifest, type BackupTable, getTableFile } from './manifest.ts';
import { writePart } from './part-file.ts';

type DatabaseBackup = Pick<BackupManifest, 'createdAt' | 'database'> & {
  keys: Pick<BackupManifest['keys'], 'encryption' | 'secrets'>;
};

/** Filled by migrations and the job scheduler. */
const INSTALLED_TABLES = [
  'public._prisma_migrations',
  'public.compatible_migrations',
  'pgboss.version',
  'pgboss.queue',
];

const LOCK_TIMEOUT_MS = 10_000;

/** Unlogged tables have counters of a few minutes, and generated columns are computed again. */
const LIST_TABLES_SQL = `
  SELECT nspname AS schema, relname AS name, relkind = 'p' AS "isPartitioned",
    (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
     WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
    greatest(CASE WHEN relkind = 'p' THEN
      (SELECT sum(greatest(part.reltuples, 0)) FROM pg_partition_tree(c.oid) AS tree
       JOIN pg_class AS part ON part.oid = tree.relid)
      ELSE reltuples END, 0)::float8 AS "estimatedRows"
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
  WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p') AND NOT relispartition AND relpersistence = 'p'
    AND NOT nspname || '.' || relname = ANY($1::text[])
  ORDER BY nspname, relname`;

/** `now()` is before the snapshot. */
const STATE_SQL = `
  SELECT now() AS at, current_setting('server_version') AS "serverVersion",
    (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS lsn,
    (SELECT array_agg(migration_name::text ORDER BY migration_name) FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migrations,
    ARRAY(SELECT name::text FROM pgboss.queue ORDER BY name) AS queues,
    ARRAY(SELECT relname::text FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
     WHERE inhparent = 'scans'::regclass ORDER BY relname) AS "scanPartitions"`;

const KEY_CHECKS_SQL =
  'SELECT id, check_value AS "checkValue", retired_at AS "retiredAt" FROM encryption_keys ORDER BY id';

const SECRET_CHECKS_SQL = 'SELECT name, check_value AS "checkValue" FROM secret_checks ORDER BY name';

interface ListedTable {
  schema: string;
  name: string;
  isPartitioned: boolean;
  columns: string[];
  estimatedRows: number;
}

interface DatabaseState {
  at: Date;
  serverVersion: string;
  lsn: string;
  migrations: string[] | null;
  queues: string[];
  scanPartitions: string[];
}

/** Write all rows into the folder as one snapshot shows them, while others read and write. Changes nothing. */
export async function backUpDatabase(
  folder: string,
  url: string,
  { progress, signal }: { progress: CommandProgress; signal: AbortSignal },
): Promise<DatabaseBackup> {
  await mkdir(join(folder, 'database'), { mode: 0o700 });
  const client = await connectDatabaseClient(url, {
    role: 'owner',
    applicationName: 'qr-profile-service backup',
  });
  const stop = () => client.end().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const listed = await beginSnapshot(client);
    const { at, migrations, ...state } = await readRow<DatabaseState>(client, STATE_SQL);
    if (migrations === null) throw new Error('The database has no migrations of this service.');
    const { rows: encryption } = await client.query(KEY_CHECKS_SQL);
    const { rows: secrets } = await client.query(SECRET_CHECKS_SQL);
    const tables = await copyTables(client, folder, listed, progress);
    await client.query('COMMIT');
    return {
      createdAt: at.toISOString(),
      database: { ...state, migrations, tables },
      keys: { encryption: encryption.map(toKeyCheck), secrets },
    };
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
  }
}

/** Lock all tables against changes of their structure, then let the next statement take the snapshot. */
async function beginSnapshot(client: DatabaseClient): Promise<ListedTable[]> {
  const listed = await listTables(client);
  if (listed.length === 0) throw new Error('The database has no tables of this service.');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  // Locks the partitions, too.
  const names = listed.map((table) => formatTableName(client, table));
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
  const locked = await listTables(client);
  if (getTableNames(locked) !== getTableNames(listed))
    throw new Error('The database is being migrated. Try again afterwards.');
  return locked;
}

async function copyTables(
  client: DatabaseClient,
  folder: string,
  tables: readonly ListedTable[],
  progress: CommandProgress,
): Promise<BackupTable[]> {
  const total = Math.round(tables.reduce((sum, { estimatedRows }) => sum + estimatedRows, 0));
  let done = 0;
  // By the estimates of the last ANALYZE.
  const reportProgress = (rows: number) => {
    if (done + rows < total) progress.step(done + rows, total);
  };
  const copied: BackupTable[] = [];
  for (const table of tables) {
    const { schema, name, columns, isPartitioned } = table;
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const from = formatTableName(client, table);
    const source = isPartitioned ? `(SELECT ${list} FROM ${from})` : `${from} (${list})`;
    const { part, result: rows } = await writePart(folder, getTableFile(table), (output) =>
      copyRowsToStream(client, `COPY ${source} TO STDOUT`, output, reportProgress),
    );
    copied.push({ schema, name, columns, rows, part });
    done += rows;
  }
  progress.step(done, done);
  return copied;
}

async function listTables(client: DatabaseClient): Promise<ListedTable[]> {
  return (await client.query<ListedTable>(LIST_TABLES_SQL, [INSTALLED_TABLES])).rows;
}

function getTableNames(tables: readonly ListedTable[]): string {
  return tables.map(({ schema, name, columns }) => [schema, name, ...columns].join(' ')).join('\n');
}

export function formatTableName(
  client: DatabaseClient,
  { schema, name }: Pick<BackupTable, 'schema' | 'name'>,
): string {
  return `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
}

function toKeyCheck(row: { id: string; checkValue: string; retiredAt: Date | null }) {
  return { ...row, retiredAt: row.retiredAt?.toISOString() ?? null };
}

async function readRow<Row>(client: DatabaseClient, sql: string): Promise<Row> {
  const { rows } = await client.query(sql);
  if (rows[0] === undefined) throw new Error('The query returned no row.');
  return rows[0];
}
