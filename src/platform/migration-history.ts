import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { ProcessLog } from '../shared/process-log.ts';

export interface Migration {
  name: string;
  sql: string;
}

export interface MigrationState {
  applied: string[];
  pending: Migration[];
  /** Running in another tool or, under the lock, failed. */
  unfinished: string | undefined;
  /** Edited after they were applied. */
  changed: string[];
  /** Applied by a newer version: unknown to this one. */
  newer: { name: string; isCompatible: boolean }[];
}

const COMPATIBLE_COMMENT = '-- Compatible with earlier versions: yes';

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

export class NewerDatabaseError extends Error {
  constructor(migrations: string[]) {
    super(
      'The database was migrated by a newer version of the service and cannot be used by this one ' +
        `(${migrations.join(', ')}). Install the newer version, or restore the backup from before the upgrade.`,
    );
    this.name = 'NewerDatabaseError';
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

/** Whether the first comment of a migration says that earlier versions of the service can use the database after it. */
export function isCompatibleMigration({ sql }: Migration): boolean {
  const lines = sql.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line) => !line.startsWith('--'));
  return lines.slice(0, end === -1 ? undefined : end).includes(COMPATIBLE_COMMENT);
}

/** Read which migrations of this version, and which others, the database has. */
export async function readMigrationState(migrations: Migration[], pool: Pool): Promise<MigrationState> {
  const rows = await readMigrationHistory(pool);
  const finishedRows = rows.filter((row) => row.finished_at !== null);
  const finished = new Set(finishedRows.map(getMigrationName));
  const checksums = new Map(migrations.map(({ name, sql }) => [name, computeChecksums(sql)]));
  const newer = finishedRows.map(getMigrationName).filter((name) => !checksums.has(name));
  const compatible = newer.length > 0 ? await readCompatibleMigrations(pool) : new Set<string>();
  return {
    applied: migrations.map(({ name }) => name).filter((name) => finished.has(name)),
    pending: migrations.filter(({ name }) => !finished.has(name)),
    unfinished: rows.find((row) => row.finished_at === null)?.migration_name,
    changed: rows
      .filter((row) => checksums.get(row.migration_name)?.includes(row.checksum) === false)
      .map(getMigrationName),
    newer: newer.sort().map((name) => ({ name, isCompatible: compatible.has(name) })),
  };
}

/** @throws NewerDatabaseError for a migration of a newer version that is not compatible with earlier ones */
export function assertNoIncompatibleMigration({ newer }: MigrationState): void {
  const incompatible = newer.filter(({ isCompatible }) => !isCompatible);
  if (incompatible.length > 0) throw new NewerDatabaseError(incompatible.map(({ name }) => name));
}

/** Record which of these applied migrations are compatible, for earlier versions, which do not have their files. */
export async function recordCompatibleMigrations(migrations: Migration[], pool: Pool): Promise<void> {
  const names = migrations.filter(isCompatibleMigration).map(({ name }) => name);
  if (names.length === 0 || !(await hasTable(pool, 'compatible_migrations'))) return;
  const recorded = await readCompatibleMigrations(pool);
  const missing = names.filter((name) => !recorded.has(name));
  if (missing.length === 0) return;
  await pool.query(
    'INSERT INTO compatible_migrations (migration_name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
    [missing],
  );
}

export function logMigrationDrift({ changed, newer }: MigrationState, log: ProcessLog): void {
  if (changed.length > 0)
    log.warn({ migrations: changed }, 'migrations were changed after they were applied');
  if (newer.length > 0)
    log.warn(
      { migrations: newer.map(({ name }) => name) },
      'the database has migrations of a newer version, which are compatible with this one',
    );
}

async function readCompatibleMigrations(pool: Pool): Promise<Set<string>> {
  if (!(await hasTable(pool, 'compatible_migrations'))) return new Set();
  const { rows } = await pool.query<{ name: string }>(
    'SELECT migration_name AS name FROM compatible_migrations',
  );
  return new Set(rows.map(({ name }) => name));
}

async function readMigrationHistory(pool: Pool): Promise<MigrationHistoryRow[]> {
  if (!(await hasTable(pool, '_prisma_migrations'))) return [];
  const { rows } = await pool.query<MigrationHistoryRow>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return rows;
}

async function hasTable(pool: Pool, name: string): Promise<boolean> {
  const { rows } = await pool.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
  return rows[0]?.exists === true;
}

function getMigrationName(row: MigrationHistoryRow): string {
  return row.migration_name;
}

function computeChecksums(sql: string): string[] {
  const unix = sql.replaceAll('\r\n', '\n');
  return [unix, unix.replaceAll('\n', '\r\n')].map((text) => createHash('sha256').update(text).digest('hex'));
}
