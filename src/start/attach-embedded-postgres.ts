import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import type { ProcessLog } from '../shared/process-log.ts';
import { DataFolderInUseError, type DataFolderLock, lockDataFolder } from './data-folder-lock.ts';
import { loadEmbeddedPostgres } from './development-packages.ts';

// A service that has just been started may still be making its database.
const SERVICE_STARTUP_TIMEOUT_MS = 60_000;

/** No service runs on a data folder. */
export class ServiceNotRunningError extends Error {
  constructor(dataDir: string) {
    super(
      `No service runs on the data folder ${dataDir}. Start it first, or give both the same DATABASE_URL.`,
    );
    this.name = 'NoServiceError';
  }
}

/**
 * The embedded database for a command: that of the running service, or, where none runs, one that is
 * started and lasts until `stop()`; meanwhile the command holds the data folder.
 * @throws DataFolderInUseError where a running service's database cannot be reached
 */
export async function attachOrStartEmbeddedPostgres(options: {
  dataDir: string;
  log: ProcessLog;
}): Promise<EmbeddedPostgres> {
  const until = Date.now() + SERVICE_STARTUP_TIMEOUT_MS;
  for (;;) {
    const lock = await lockDataFolder(options.dataDir).catch((error: unknown) => {
      if (error instanceof DataFolderInUseError && Date.now() < until) return undefined;
      throw error;
    });
    const database = lock
      ? await startWithLock(lock, options)
      : await tryAttachEmbeddedPostgres(options.dataDir);
    if (database) return database;
    await sleep(200);
  }
}

/**
 * The embedded database of a running service, for a process beside it. One that is being started is waited for.
 * @throws Error where none runs
 */
export async function attachEmbeddedPostgres(dataDir: string, abort: AbortSignal): Promise<EmbeddedPostgres> {
  for (
    const until = Date.now() + SERVICE_STARTUP_TIMEOUT_MS;
    Date.now() < until && !abort.aborted;
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
    const { startEmbeddedPostgres } = await loadEmbeddedPostgres();
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
  const { findEmbeddedPostgres } = await loadEmbeddedPostgres();
  // Not reachable yet is no error here: the caller tries again.
  const addresses = await findEmbeddedPostgres(dataDir);
  return addresses ? { ...addresses, stop: async () => {} } : undefined;
}
