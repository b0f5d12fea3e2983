import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { ProcessLog } from '../shared/process-log.ts';

export interface Migration {
  name: string;
  sql: string;
}

interface MigrationHistoryRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

export class MigrationError extends Error {
  readonly migration: string;

  constructor(migration: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
    this.migration = migration;
  }
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

/** Find the pending migrations, and an unfinished one: running in another tool or, under the lock, failed. */
export async function findPendingMigrations(
  migrations: Migration[],
  pool: Pool,
): Promise<{ pending: Migration[]; unfinished: string | undefined }> {
  const rows = await readMigrationHistory(pool);
  const finished = new Set(rows.filter((row) => row.finished_at !== null).map(getMigrationName));
  return {
    pending: migrations.filter(({ name }) => !finished.has(name)),
    unfinished: rows.find((row) => row.finished_at === null)?.migration_name,
  };
}

/** Find migrations that were changed after they were applied, and applied ones of another version. */
export async function findMigrationDrift(
  migrations: Migration[],
  pool: Pool,
): Promise<{ edited: string[]; unknown: string[] }> {
  const checksums = new Map(migrations.map(({ name, sql }) => [name, computeChecksums(sql)]));
  const rows = await readMigrationHistory(pool);
  const edited = rows.filter((row) => checksums.get(row.migration_name)?.includes(row.checksum) === false);
  const unknown = rows.filter((row) => !checksums.has(row.migration_name));
  return { edited: edited.map(getMigrationName), unknown: unknown.map(getMigrationName) };
}

export async function warnAboutMigrationDrift(
  migrations: Migration[],
  pool: Pool,
  log: ProcessLog,
): Promise<void> {
  const { edited, unknown } = await findMigrationDrift(migrations, pool);
  if (edited.length > 0) log.warn({ migrations: edited }, 'migrations were changed after they were applied');
  if (unknown.length > 0)
    log.warn({ migrations: unknown }, 'the database has migrations that are unknown to this version');
}

async function readMigrationHistory(pool: Pool): Promise<MigrationHistoryRow[]> {
  const table = await pool.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (table.rows[0]?.name === null) return [];
  const { rows } = await pool.query<MigrationHistoryRow>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return rows;
}

function getMigrationName(row: MigrationHistoryRow): string {
  return row.migration_name;
}

function computeChecksums(sql: string): string[] {
  const unix = sql.replaceAll('\r\n', '\n');
  return [unix, unix.replaceAll('\n', '\r\n')].map((text) => createHash('sha256').update(text).digest('hex'));
}
