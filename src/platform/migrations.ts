import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import type { ProcessLog } from '../shared/process-log.ts';
import { DatabaseClient, type DatabaseHost, findWritableHost, OWNER_SESSION } from './database-client.ts';
import { verifyDatabaseSession } from './database-session.ts';
import {
  assertNoIncompatibleMigration,
  logMigrationDrift,
  type Migration,
  MigrationError,
  type MigrationState,
  NewerDatabaseError,
  readMigrationState,
  readMigrations,
  recordCompatibleMigrations,
} from './migration-history.ts';
import { retryWhileLocked } from './retry-locked.ts';
import { openPrismaSchemaEngine } from './schema-engine.ts';
import { readTableSizes, type TableSizes } from './table-sizes.repository.ts';

export { MigrationError, NewerDatabaseError };

/** The advisory lock of `prisma migrate`, which excludes it. */
const MIGRATION_LOCK_ID = 72707369;

const LOCK_TIMEOUT_MS = 1_000;

/**
 * Apply pending migrations as the owner at `url`, interchangeable with `prisma migrate deploy`; returns their names.
 * @throws MigrationError, also for one that failed under another tool; NewerDatabaseError; Error where the encoding is
 * not UTF8
 */
export async function applyMigrations(options: {
  url: string;
  folder: string;
  /** By default all. */
  names?: readonly string[];
  log: ProcessLog;
}): Promise<{ applied: string[] }> {
  const { names } = options;
  const migrations = (await readMigrations(options.folder)).filter(
    ({ name }) => names?.includes(name) ?? true,
  );
  const host = await findWritableHost(options.url, OWNER_SESSION);
  const applied: string[] = [];
  // A failed statement ends the connection, so that each attempt begins with a new one.
  await retryWhileLocked(() => applyOnConnection(migrations, host, options.log, applied));
  return { applied };
}

/** Read which migrations the database of the owner at `url` has, and its tables, without changing anything or waiting for locks. */
export async function inspectMigrations(options: {
  url: string;
  folder: string;
}): Promise<MigrationState & { tableSizes: TableSizes }> {
  const migrations = await readMigrations(options.folder);
  const pool = createSingleConnectionPool(await findWritableHost(options.url, OWNER_SESSION));
  try {
    return { ...(await readMigrationState(migrations, pool)), tableSizes: await readTableSizes(pool) };
  } finally {
    await pool.end();
  }
}

async function applyOnConnection(
  migrations: Migration[],
  host: DatabaseHost,
  log: ProcessLog,
  applied: string[],
): Promise<void> {
  const pool = createSingleConnectionPool(host);
  try {
    await assertUtf8Encoding(pool);
    let state = await readMigrationState(migrations, pool);
    assertNoIncompatibleMigration(state);
    if (state.pending.length > 0 || state.unfinished !== undefined) {
      await pool.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_ID]);
      // Again under the lock: another instance may have applied them.
      state = await readMigrationState(migrations, pool);
      assertNoIncompatibleMigration(state);
      await applyPending(state, pool, applied);
    }
    // Also those that another tool applied.
    await recordCompatibleMigrations(migrations, pool);
    logMigrationDrift(state, log);
  } finally {
    await pool.end();
  }
}

async function applyPending(
  { pending, unfinished }: MigrationState,
  pool: pg.Pool,
  applied: string[],
): Promise<void> {
  if (unfinished !== undefined) {
    throw new MigrationError(
      unfinished,
      `The migration ${unfinished} was started by another tool and not finished. Check what it left ` +
        'behind, then run `npx prisma migrate resolve --rolled-back` or `--applied`.',
    );
  }
  if (pending.length === 0) return;
  let failure: unknown;
  const engine = await openPrismaSchemaEngine(pool, async (script) => {
    // One message for the whole file, as the native engine sends it.
    await pool.query(script).catch((error) => {
      failure = error;
      throw error;
    });
  });
  try {
    for (const migration of pending) {
      await applyMigration(migration, engine, pool).catch((error) => {
        throw new MigrationError(
          migration.name,
          formatMigrationFailure(migration, failure ?? error),
          failure ?? error,
        );
      });
      applied.push(migration.name);
    }
  } finally {
    engine.free();
  }
}

/** Apply in one transaction, which fails where a lock takes long: every reader would wait behind it. */
async function applyMigration(migration: Migration, engine: SchemaEngine, pool: pg.Pool): Promise<void> {
  await pool.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await engine.applyMigrations({
    migrationsList: {
      baseDir: '.',
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      shadowDbInitScript: '',
      migrationDirectories: [
        {
          path: migration.name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: migration.sql } },
        },
      ],
    },
    filters: { externalTables: [], externalEnums: [] },
  });
  await recordCompatibleMigrations([migration], pool);
  await pool.query('COMMIT');
}

async function assertUtf8Encoding(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new Error(
    `The database's encoding is ${encoding}, but UTF8 is required. ` +
      "Create a new database with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
  );
}

// Lock, BEGIN and COMMIT belong to a session, which a pool would silently replace when it is lost.
function createSingleConnectionPool({ hostUrl, options }: DatabaseHost): pg.Pool {
  let connections = 0;
  const pool = new pg.Pool({
    connectionString: hostUrl,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    Client: class extends DatabaseClient {
      constructor() {
        super({ ...OWNER_SESSION, hostUrl, options });
      }
    },
    onConnect: async (client) => {
      connections += 1;
      if (connections > 1) throw new MigrationConnectionLostError();
      await verifyDatabaseSession(client, 'owner');
    },
  });
  // Without a listener a lost idle connection would end the process; the next statement reports it.
  pool.on('error', () => {});
  return pool;
}

class MigrationConnectionLostError extends Error {
  /** SQLSTATE of a connection failure. */
  readonly code = '08006';
  constructor() {
    super('The connection was lost while applying migrations.');
    this.name = 'MigrationConnectionLostError';
  }
}

function formatMigrationFailure(migration: Migration, failure: unknown): string {
  // The engine appends its own trace to the server's message.
  const [reason = ''] = (failure instanceof Error ? failure.message : String(failure)).split('\n');
  const hint = /permission denied|must be owner/i.test(reason)
    ? ' The role cannot create or alter tables. Set DATABASE_OWNER_URL to the address of a role that can.'
    : '';
  const position = failure instanceof pg.DatabaseError ? Number(failure.position) : Number.NaN;
  const line = Number.isNaN(position) ? '' : `, line ${migration.sql.slice(0, position).split('\n').length}`;
  return `The migration ${migration.name} failed${line}: ${reason}. It was rolled back.${hint}`;
}
