import { copyStreamToRows } from '../../platform/copy-stream.ts';
import { connectDatabaseClient, type DatabaseClient } from '../../platform/database-client.ts';
import { installJobQueues } from '../../platform/jobs.ts';
import { readMigrations } from '../../platform/migration-history.ts';
import { applyMigrations } from '../../platform/migrations.ts';
import { JOB_QUEUES } from '../../services.ts';
import type { ProcessLog } from '../../shared/process-log.ts';
import { MIGRATIONS_FOLDER } from '../../start/open-database.ts';
import type { CommandProgress } from '../progress.ts';
import { formatTableName } from './backup-database.ts';
import {
  type BackupManifest,
  type BackupTable,
  getTableFile,
  InvalidBackupError,
  RestoreRefusedError,
} from './manifest.ts';
import { readPart } from './part-file.ts';

/** Of a queue that this version does not have: nobody works on its jobs. */
const UNKNOWN_QUEUE = { expireInSeconds: 60, retryLimit: 0, retryDelay: 0 };

const MONTHLY_PARTITION_PATTERN = /^scans_(\d{4})_(\d\d)$/;
const FIRST_PARTITION_PATTERN = /^scans_before_(\d{4})_(\d\d)$/;

const LIST_COLUMNS_SQL = `
  SELECT nspname || '.' || relname AS name, array_agg(attname::text) AS columns
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
  JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p') AND NOT relispartition
  GROUP BY 1`;

/** Those of partitions belong to that of their table. */
const LIST_FOREIGN_KEYS_SQL = `
  SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition,
    obj_description(oid, 'pg_constraint') AS comment
  FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND connamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
  ORDER BY 1, 2`;

const LIST_TRIGGERS_SQL = `
  SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND tgparentid = 0 AND tgenabled = 'O'
    AND relnamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
  ORDER BY 1, 2`;

const LIST_SCAN_PARTITIONS_SQL = `
  SELECT relname::text AS name FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
  WHERE inhparent = 'scans'::regclass ORDER BY relname`;

interface NamedObject {
  table: string;
  name: string;
}

/** Assert that a database has nothing to lose, and that this version can restore the backup. Changes nothing. */
export async function assertDatabaseRestorable(url: string, { database }: BackupManifest): Promise<void> {
  const known = new Set((await readMigrations(MIGRATIONS_FOLDER)).map(({ name }) => name));
  const unknown = database.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new RestoreRefusedError(
      `The backup was made by another version of the service (${unknown.join(', ')}). Restore it with that version.`,
    );
  await runAsOwner(url, async (client) => {
    const [state] = await selectRows<{ hasUsers: boolean; tables: number }>(
      client,
      `SELECT to_regclass('public.users') IS NOT NULL AS "hasUsers",
         (SELECT count(*)::int FROM pg_tables WHERE schemaname IN ('public', 'pgboss')) AS tables`,
    );
    if (state?.tables === 0) return;
    const isUnused = state?.hasUsers === true && (await isServiceDatabaseUnused(client));
    if (!isUnused)
      throw new RestoreRefusedError(
        'The database is not empty. Restore into a new one: CREATE DATABASE, or with the embedded PostgreSQL another DATA_DIR.',
      );
    const applied = await selectRows<{ name: string }>(
      client,
      'SELECT migration_name AS name FROM _prisma_migrations',
    );
    if (!applied.every(({ name }) => database.migrations.includes(name)))
      throw new RestoreRefusedError(
        'The database has later migrations than the backup. Restore into a new one (CREATE DATABASE).',
      );
  });
}

/** Create the schema as it was, and load all rows in one transaction. Returns tables that the schema does not have. */
export async function restoreDatabase(
  folder: string,
  url: string,
  { database }: BackupManifest,
  options: { progress: CommandProgress; signal: AbortSignal; log: ProcessLog },
): Promise<string[]> {
  const { progress, signal, log } = options;
  await applyMigrations({ url, folder: MIGRATIONS_FOLDER, names: database.migrations, log });
  const unknownQueues = database.queues.filter((name) => !JOB_QUEUES.some((queue) => queue.name === name));
  await installJobQueues(url, [...JOB_QUEUES, ...unknownQueues.map((name) => ({ ...UNKNOWN_QUEUE, name }))]);
  return runAsOwner(url, async (client) => {
    const stop = () => client.end().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      const { tables, missing } = await selectRestorableTables(client, database.tables);
      await client.query('BEGIN');
      await restoreScanPartitions(client, database.scanPartitions);
      await runWithoutConstraints(client, async () => {
        await client.query(`TRUNCATE ${tables.map((table) => formatTableName(client, table)).join(', ')}`);
        await loadTables(client, folder, tables, progress);
      });
      await client.query('COMMIT');
      // Without statistics the first statements would be planned for empty tables.
      await client.query('ANALYZE');
      return missing;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  });
}

async function isServiceDatabaseUnused(client: DatabaseClient): Promise<boolean> {
  const [row] = await selectRows<{ isUnused: boolean }>(
    client,
    `SELECT NOT EXISTS (SELECT FROM users) AND NOT EXISTS (SELECT FROM encryption_keys)
       AND NOT EXISTS (SELECT FROM audit_entries) AS "isUnused"`,
  );
  return row?.isUnused === true;
}

/** @throws InvalidBackupError for columns that a table of these migrations does not have */
async function selectRestorableTables(
  client: DatabaseClient,
  backedUp: readonly BackupTable[],
): Promise<{ tables: BackupTable[]; missing: string[] }> {
  const existing = new Map(
    (await selectRows<{ name: string; columns: string[] }>(client, LIST_COLUMNS_SQL)).map((row) => [
      row.name,
      row.columns,
    ]),
  );
  const tables: BackupTable[] = [];
  const missing: string[] = [];
  for (const table of backedUp) {
    const name = `${table.schema}.${table.name}`;
    const columns = existing.get(name);
    if (columns === undefined) missing.push(name);
    else if (table.columns.every((column) => columns.includes(column))) tables.push(table);
    else throw new InvalidBackupError(`The table ${name} of the backup has other columns.`);
  }
  return { tables, missing };
}

/** Create the partitions that the backup had: the migrations made those for today. */
async function restoreScanPartitions(client: DatabaseClient, names: readonly string[]): Promise<void> {
  const current = (await selectRows<{ name: string }>(client, LIST_SCAN_PARTITIONS_SQL)).map(
    ({ name }) => name,
  );
  const months = names.flatMap((name) => MONTHLY_PARTITION_PATTERN.exec(name)?.slice(1, 3).join('-') ?? []);
  const first = names.map((name) => FIRST_PARTITION_PATTERN.exec(name)).find((match) => match !== null);
  const isSame = current.length === names.length && current.every((name) => names.includes(name));
  if (isSame || !first || months.length === 0) return;
  for (const name of current) await client.query(`DROP TABLE partitions.${client.escapeIdentifier(name)}`);
  const name = `partitions.${client.escapeIdentifier(first[0])}`;
  const seconds = Date.UTC(Number(first[1]), Number(first[2]) - 1) / 1000;
  const bound = client.escapeLiteral(seconds.toString(16).padStart(8, '0').padEnd(24, '0'));
  await client.query(`CREATE TABLE ${name} PARTITION OF scans FOR VALUES FROM (MINVALUE) TO (${bound})`);
  await client.query(`COMMENT ON TABLE ${name} IS 'Scans before the first monthly partition.'`);
  for (const month of months.sort())
    await client.query('SELECT add_scan_partitions($1::date, $1::date)', [`${month}-01`]);
}

/** Foreign keys are checked once, at the end, and triggers see none of the rows, which they have already seen. */
async function runWithoutConstraints(client: DatabaseClient, work: () => Promise<void>): Promise<void> {
  const foreignKeys = await selectRows<NamedObject & { definition: string; comment: string | null }>(
    client,
    LIST_FOREIGN_KEYS_SQL,
  );
  const triggers = await selectRows<NamedObject>(client, LIST_TRIGGERS_SQL);
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  await work();
  for (const { table, name, definition, comment } of foreignKeys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    if (comment !== null)
      await client.query(`COMMENT ON CONSTRAINT ${name} ON ${table} IS ${client.escapeLiteral(comment)}`);
  }
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
}

async function loadTables(
  client: DatabaseClient,
  folder: string,
  tables: readonly BackupTable[],
  progress: CommandProgress,
): Promise<void> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables) {
    const file = getTableFile(table);
    const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const statement = `COPY ${formatTableName(client, table)} (${columns}) FROM STDIN`;
    const reportProgress = (loaded: number) => {
      if (done + loaded < total) progress.step(done + loaded, total);
    };
    const input = countLines(readPart(folder, file, table.part), reportProgress);
    const rows = await copyStreamToRows(client, statement, input);
    if (rows !== table.rows)
      throw new InvalidBackupError(`${file} has ${rows} rows instead of ${table.rows}.`);
    done += rows;
  }
  progress.step(total, total);
}

/** A row is a line: line breaks in values are escaped. */
async function* countLines(
  chunks: AsyncIterable<Buffer>,
  onProgress: (lines: number) => void,
): AsyncGenerator<Buffer> {
  let lines = 0;
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    onProgress(lines);
    yield chunk;
  }
}

async function runAsOwner<Result>(
  url: string,
  work: (client: DatabaseClient) => Promise<Result>,
): Promise<Result> {
  const client = await connectDatabaseClient(url, {
    role: 'owner',
    applicationName: 'qr-profile-service restore',
  });
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function selectRows<Row>(client: DatabaseClient, sql: string): Promise<Row[]> {
  return (await client.query(sql)).rows;
}
