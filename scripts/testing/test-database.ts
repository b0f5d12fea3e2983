import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import pg from 'pg';
import { prepareDatabase } from '../../src/platform/prepare-database.ts';
import { QUEUES } from '../../src/queues.ts';

const TEMPLATE = 'qr_template';

/** A file system in memory, where the system has one. */
const IN_MEMORY = '/dev/shm';

/** Bytes that have to be free there; a whole run needs a third of them. */
const ROOM = 3 * 1024 ** 3;

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

/**
 * Where the server's files are: in memory where there is room. Each test file makes and drops a database of some hundred
 * files, and ext4 looks at every inode freed in the last minutes before it takes one.
 */
async function parentFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM ? IN_MEMORY : tmpdir();
}

/** Starts a PostgreSQL in a temporary folder, with the migrated database that each test file clones. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(await parentFolder(), 'qr-test-'));
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
