import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '../../src/platform/prepare-database.ts';
import { QUEUES } from '../../src/queues.ts';
import { startEmbeddedPostgres } from '../../src/sandbox/embedded-postgres.ts';

const TEMPLATE = 'qr_template';

const log = {
  info() {},
  warn() {},
  error: (details: object, message: string) => console.error(message, details),
};

/** The database server of one run of tests. */
export interface TestDatabase {
  /** What test/helper.ts finds it by. */
  environment: Record<string, string>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL in a temporary folder, with the migrated database that each test file clones. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-test-'));
  // A power cut would take nothing that is looked at again.
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.ownerUrl, server.applicationUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    environment: {
      TEST_OWNER_URL: server.ownerUrl,
      TEST_APPLICATION_URL: server.applicationUrl,
      TEST_REPORTING_URL: server.reportingUrl,
      TEST_TEMPLATE: TEMPLATE,
    },
    stop,
  };
}

async function makeTemplate(ownerUrl: string, applicationUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await prepareDatabase({
    ownerUrl: onTemplate(ownerUrl),
    applicationUrl: onTemplate(applicationUrl),
    migrationsFolder: 'prisma/migrations',
    queues: QUEUES,
    log,
  });
}

function onTemplate(address: string): string {
  const url = new URL(address);
  url.pathname = `/${TEMPLATE}`;
  return url.href;
}
