import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import type { ProcessLog } from '../shared/process-log.ts';
import { DataFolderInUseError, type DataFolderLock, lockDataFolder } from './data-folder-lock.ts';
import { loadEmbeddedPostgresPackage } from './development-packages.ts';
import { readFileIfExists } from './private-file.ts';

// A starting service may still be creating its database.
const SERVICE_STARTUP_TIMEOUT_MS = 60_000;

export class ServiceNotRunningError extends Error {
  constructor(dataDir: string) {
    super(
      `No service is running on the data folder ${dataDir}. Start it first, or set the same DATABASE_URL for both.`,
    );
    this.name = 'NoServiceError';
  }
}

export class NoDatabaseError extends Error {
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}. Is DATA_DIR right? \`npm start\` creates one.`);
    this.name = 'NoDatabaseError';
  }
}

/** Assert that the data folder has a database; writes nothing. @throws NoDatabaseError */
export async function assertEmbeddedPostgresExists(dataDir: string): Promise<void> {
  // Without the package DATABASE_URL is what is missing.
  await loadEmbeddedPostgresPackage();
  const version = await readFileIfExists(join(dataDir, 'postgres', 'PG_VERSION'));
  if (version === undefined) throw new NoDatabaseError(dataDir);
}

/** Attach to the running service's database, or start one under the folder's lock. @throws DataFolderInUseError */
export async function attachOrStartEmbeddedPostgres(options: {
  dataDir: string;
  log: ProcessLog;
}): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + SERVICE_STARTUP_TIMEOUT_MS;
  for (;;) {
    const lock = await lockDataFolder(options.dataDir).catch((error: unknown) => {
      if (error instanceof DataFolderInUseError && Date.now() < deadline) return undefined;
      throw error;
    });
    const database = lock
      ? await startWithLock(lock, options)
      : await tryAttachEmbeddedPostgres(options.dataDir);
    if (database) return database;
    await sleep(200);
  }
}

export async function attachToEmbeddedPostgres(
  dataDir: string,
  abort: AbortSignal,
): Promise<EmbeddedPostgres> {
  for (
    const deadline = Date.now() + SERVICE_STARTUP_TIMEOUT_MS;
    Date.now() < deadline && !abort.aborted;
    await sleep(200)
  ) {
    const database = await tryAttachEmbeddedPostgres(dataDir);
    if (database) return database;
  }
  throw new ServiceNotRunningError(dataDir);
}

async function startWithLock(
  lock: DataFolderLock,
  options: { dataDir: string; log: ProcessLog },
): Promise<EmbeddedPostgres> {
  try {
    const { startEmbeddedPostgres } = await loadEmbeddedPostgresPackage();
    const database = await startEmbeddedPostgres(options);
    const stop = async () => {
      await database.stop();
      await lock.release();
    };
    return { ...database, stop };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function tryAttachEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres | undefined> {
  const { findEmbeddedPostgres } = await loadEmbeddedPostgresPackage();
  // Not reachable yet: the caller retries.
  const addresses = await findEmbeddedPostgres(dataDir);
  return addresses ? { ...addresses, stop: async () => {} } : undefined;
}
