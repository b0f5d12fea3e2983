import { appendFile } from 'node:fs/promises';
import pg from 'pg';
import type { Test } from 'tap';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { generateId, generateRandomAlphanumeric } from '../src/shared/ids.ts';

interface ClonedDatabase {
  owner: string;
  application: string;
  reporting: string;
  /** Record the actions of the audit trail by an open connection: a complete run must reach every action. */
  recordActions(pool: pg.Pool): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Clone the migrated template, or another database, for a test file; returns the URLs of owner, application and
 * reports.
 */
export async function cloneDatabase(_t: Test, template = process.env.TEST_TEMPLATE): Promise<ClonedDatabase> {
  const owner = process.env.TEST_OWNER_URL;
  const application = process.env.TEST_APPLICATION_URL;
  const reporting = process.env.TEST_REPORTING_URL;
  if (!owner || !application || !reporting)
    throw new Error('Run tests by `npm test -- <files>`: they need its database server.');
  const name = `test_${generateRandomAlphanumeric(16)}`;
  let isRecorded = false;
  // Copying the files takes a third of the time of writing them to the WAL.
  await runAsOwner(owner, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    owner: setDatabaseName(owner, name),
    application: setDatabaseName(application, name),
    reporting: setDatabaseName(reporting, name),
    async recordActions(pool) {
      if (pool.ended) return;
      await recordAuditActions(pool);
      isRecorded = true;
    },
    async drop() {
      if (!isRecorded) await connectBriefly(setDatabaseName(owner, name), recordAuditActions);
      await dropDatabaseWhenUnused(owner, name);
    },
  };
}

async function recordAuditActions(database: Pick<pg.Client, 'query'>): Promise<void> {
  const file = process.env.TEST_ACTIONS_FILE;
  if (!file) return;
  try {
    const { rows } = await database.query<{ action: string }>('SELECT DISTINCT action FROM audit_entries');
    await appendFile(file, rows.map(({ action }) => `${action}\n`).join(''));
  } catch (error) {
    // Tests of migrations may have a database without an audit trail.
    if (!(error instanceof pg.DatabaseError && error.code === '42P01')) throw error;
  }
}

/** Retry while the server ends connections of the application, which the owner may not terminate. */
async function dropDatabaseWhenUnused(owner: string, name: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      return await runAsOwner(owner, `DROP DATABASE IF EXISTS ${name}`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

// One open connection for each server, because a connection costs more than these statements.
const ownerPools = new Map<string, pg.Pool>();

async function runAsOwner(url: string, sql: string): Promise<void> {
  const pool = ownerPools.get(url) ?? createOwnerPool(url);
  ownerPools.set(url, pool);
  await pool.query(sql);
}

function createOwnerPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A stopped server ends it; the next statement opens another.
  pool.on('error', () => {});
  return pool;
}

async function connectBriefly(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function setDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Open a clone of the template without the application, for tests of repositories. */
export async function openClonedDatabase(t: Test): Promise<Database> {
  const { application: url, recordActions, drop } = await cloneDatabase(t);
  const database = openDatabase({ url, poolSize: 3, onError: () => {} });
  t.teardown(async () => {
    await recordActions(database.pool);
    await database.close();
    await drop();
  });
  await waitForConnection(database);
  return database;
}

/** A busy machine may take longer than the time limit of a first connection. */
async function waitForConnection({ pool }: Database): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Insert a user with a profile; returns the id. */
export async function insertTestUser({ client }: Database): Promise<string> {
  const id = generateId();
  await client.user.create({
    data: {
      id,
      email: `${id}@example.org`,
      status: 'ACTIVE',
      firstName: 'Ada',
      lastName: 'Lovelace',
      accountType: 'INDIVIDUAL',
    },
    select: { id: true },
  });
  return id;
}
