import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { prepareDatabase, setRoleSessionDefaults } from '../platform/prepare-database.ts';
import { JOB_QUEUES } from '../services.ts';
import { parseDatabaseUrl } from '../shared/database-url.ts';
import type { ProcessLog } from '../shared/process-log.ts';
import { loadEmbeddedPostgresPackage } from './development-packages.ts';

/** The same path from src/start and dist/start. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** A busy machine can miss the short time limit for a connection. */
const START_CONNECTION_ATTEMPTS = 3;

export interface DatabaseServer {
  ownerUrl: string;
  applicationUrl: string;
  directUrl?: string;
  stop(): Promise<void>;
}

/** Open the configured database server or the embedded one, which needs the lock of the data folder. */
export async function openDatabaseServer(
  config: Config,
  log: ProcessLog,
  abort?: AbortSignal,
): Promise<DatabaseServer> {
  if (!config.databaseUrl) {
    const { startEmbeddedPostgres } = await loadEmbeddedPostgresPackage();
    return startEmbeddedPostgres({ dataDir: config.dataDir, log, abort });
  }
  if (!config.databaseOwnerUrl) {
    log.warn({}, 'DATABASE_OWNER_URL is not set: migrations run with the role of DATABASE_URL');
  }
  const directUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const ownerUrl = config.databaseOwnerUrl ?? directUrl;
  return { ownerUrl, applicationUrl: config.databaseUrl, directUrl, stop: async () => {} };
}

/** Apply pending migrations and set up queues and roles, as each start does. @throws what `prepareDatabase` throws */
export async function migrateDatabase(
  config: Config,
  address: DatabaseServer,
  log: ProcessLog,
): Promise<{ applied: string[] }> {
  log.info({}, 'preparing the tables');
  const { applied } = await prepareDatabase({
    ...address,
    migrationsFolder: MIGRATIONS_FOLDER,
    queues: JOB_QUEUES,
    auditRetentionDays: config.auditRetentionDays,
    log,
  });
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  return { applied };
}

export async function prepareAndOpenDatabase(
  config: Config,
  address: DatabaseServer,
  log: ProcessLog,
): Promise<Database> {
  await migrateDatabase(config, address, log);
  const { applicationUrl: url, directUrl = url } = address;
  if (config.isDatabasePooled) await setRoleSessionDefaults(directUrl);
  const database = openDatabase({
    url,
    directUrl,
    isPooled: config.isDatabasePooled,
    replicaUrl: config.databaseReadUrl,
    poolSize: config.databasePoolSize,
    onSlowStatement: (statement, ms) => log.warn({ statement, ms }, 'slow statement'),
    onError: (error) => log.warn({ code: Reflect.get(error, 'code') }, 'a database connection was lost'),
  });
  await connectToAnyHost(database, url, START_CONNECTION_ATTEMPTS);
  return database;
}

/** Connect with at least so many attempts, and one to each host: the pool tries another host after each failure. */
export async function connectToAnyHost({ pool }: Database, url: string, minAttempts: number): Promise<void> {
  const { hostUrls } = parseDatabaseUrl(url);
  for (let left = Math.max(hostUrls.length, minAttempts) - 1; ; left -= 1) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
