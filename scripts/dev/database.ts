import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import { loadConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/shared/config-error.ts';
import type { ProcessLog } from '../../src/shared/process-log.ts';
import { lockDataFolder } from '../../src/start/data-folder-lock.ts';

const ENV_FILE = '.env';

interface OpenDatabase {
  dataDir: string;
  stop(): Promise<void>;
}

export interface DevelopmentDatabase {
  /**
   * Start the embedded PostgreSQL in the configured data folder, unless it runs already.
   * @returns false if the service has another database, or none because its settings are invalid
   * @throws DataFolderInUseError
   */
  start(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Keep the embedded PostgreSQL and the lock of its data folder while the service restarts. */
export function createDevelopmentDatabase(log: ProcessLog): DevelopmentDatabase {
  let current: OpenDatabase | null = null;

  async function stop(): Promise<void> {
    const database = current;
    current = null;
    await database?.stop();
  }

  return {
    async start() {
      const dataDir = readEmbeddedDataDir();
      if (current?.dataDir !== dataDir) await stop();
      if (dataDir === undefined) return false;
      current ??= await openDatabase(dataDir, log);
      return true;
    },
    stop,
  };
}

async function openDatabase(dataDir: string, log: ProcessLog): Promise<OpenDatabase> {
  const lock = await lockDataFolder(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const stop = async () => {
      await postgres.stop();
      await lock.release();
    };
    return { dataDir, stop };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The service reports invalid settings itself. */
function readEmbeddedDataDir(): string | undefined {
  const file = existsSync(ENV_FILE) ? parseEnv(readFileSync(ENV_FILE, 'utf8')) : {};
  try {
    const { production, databaseUrl, dataDir } = loadConfig({ ...file, ...process.env }, () => {});
    return production || databaseUrl ? undefined : dataDir;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
