import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import { prepareDatabase } from '../src/platform/prepare-database.ts';
import { JOB_QUEUES } from '../src/services.ts';
import { runWithCleanUp } from './run-with-clean-up.ts';

const SILENT_LOG = {
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
  settings?: Readonly<Record<string, string>>;
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
    log: SILENT_LOG,
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
    await prepareDatabase({
      ownerUrl,
      applicationUrl,
      migrationsFolder,
      queues: JOB_QUEUES,
      log: SILENT_LOG,
    });
    return await work({ ownerUrl, applicationUrl, folder });
  });
}
