import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import pg from 'pg';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database.ts';
import { prepareDatabase } from '../src/platform/prepare-database.ts';
import { createServices, JOB_QUEUES, type Services } from '../src/services.ts';
import { runWithCleanUp } from './run-with-clean-up.ts';

export const QUIET_LOG = {
  info() {},
  warn() {},
  error: (details: object, message: string) => console.error(message, details),
};

export interface ScratchDatabase {
  ownerUrl: string;
  applicationUrl: string;
  folder: string;
}

export interface ScratchServerOptions {
  /** Folder of other programs than the embedded ones. */
  binariesFolder?: string | undefined;
}

/** Start an embedded, migrated, empty server and remove it afterwards, also on a signal. */
export async function withScratchDatabase<Result>(
  work: (database: ScratchDatabase) => Promise<Result>,
  options: ScratchServerOptions = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
  const giveUp = new AbortController();
  const starting = startEmbeddedPostgres({
    dataDir: folder,
    log: QUIET_LOG,
    abort: giveUp.signal,
    ...options,
  });
  const cleanUp = async () => {
    giveUp.abort();
    await starting.then(
      (server) => server.stop(),
      () => {},
    );
    await rm(folder, { recursive: true, force: true });
  };
  return runWithCleanUp(cleanUp, async () => {
    const { ownerUrl, applicationUrl } = await starting;
    const migrationsFolder = 'prisma/migrations';
    await prepareDatabase({ ownerUrl, applicationUrl, migrationsFolder, queues: JOB_QUEUES, log: QUIET_LOG });
    return await work({ ownerUrl, applicationUrl, folder });
  });
}

export async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Run the services in this process, without jobs, for what cannot be measured from outside. */
export async function runWithScratchServices<Result>(
  { applicationUrl, ownerUrl, folder }: ScratchDatabase,
  work: (services: Services) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  const config = loadConfig({
    DATABASE_URL: applicationUrl,
    DATABASE_OWNER_URL: ownerUrl,
    DATA_DIR: folder,
    UPLOADS_DIR: join(folder, 'uploads'),
    RATE_LIMIT_SCALE: '100000',
    BCRYPT_COST: '4',
    // Disable package limits and their queries.
    BILLING: 'off',
    ...environment,
  });
  const key = randomBytes(32).toString('base64');
  const secrets = {
    JWT_SECRET: key,
    HASH_SECRET: key,
    PASSWORD_PEPPERS: `k:${key}`,
    ENCRYPTION_KEYS: `k:${key}`,
    AUDIT_SIGNING_KEY: key,
  };
  const database = openDatabase({ url: applicationUrl, poolSize: config.databasePoolSize, onError() {} });
  const services = createServices({ config, secrets, database, log: QUIET_LOG });
  await services.publicFiles.prepare();
  try {
    return await work(services);
  } finally {
    await services.mailProvider.close();
    await database.close();
  }
}
