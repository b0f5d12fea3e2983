import type { QrCodeServices } from '../qrcode-services.ts';
import { deleteExpiredImports, listOpenImports } from './import.repository.ts';
import { finishImport, IMPORT_CODES_QUEUE } from './import-codes.job.ts';

const BATCH_SIZE = 100;

type Services = Pick<QrCodeServices, 'database' | 'jobs' | 'files'>;

/** Delete expired imports with their errors, and fail imports whose job was lost. */
export async function cleanUpImports(services: Services): Promise<void> {
  while ((await deleteExpired(services)) === BATCH_SIZE);
  await failLostImports(services);
}

function deleteExpired({ database, files }: Services): Promise<number> {
  return database.transaction(async (tx) => {
    const { count, fileIds } = await deleteExpiredImports(tx, BATCH_SIZE);
    await files.remove(tx, fileIds);
    return count;
  });
}

async function failLostImports(services: Services): Promise<void> {
  const { database, jobs } = services;
  for (let after = ''; ; ) {
    const open = await listOpenImports(database.client, after, BATCH_SIZE);
    const last = open.at(-1);
    if (!last) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const ids = open.map(({ id }) => id);
    const pending = await jobs.findPending(IMPORT_CODES_QUEUE, 'importId', ids);
    const error = { code: 'INTERNAL', message: 'The import was interrupted too often.' };
    for (const key of open)
      if (!pending.has(key.id))
        await database.transaction((tx) => finishImport(services, tx, key, { status: 'FAILED', error }));
    after = last.id;
  }
}
