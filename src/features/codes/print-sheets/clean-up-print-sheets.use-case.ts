import type { QrCodeServices } from '../qrcode-services.ts';
import { failPrintSheet } from './make-print-sheet.job.ts';
import {
  deletePrintSheet,
  listExpiredPrintSheets,
  listWaitingPrintSheets,
} from './print-sheet.repository.ts';
import { PRINT_SHEET_QUEUE } from './print-sheet-queue.ts';

const BATCH_SIZE = 100;

type Services = Pick<QrCodeServices, 'database' | 'jobs' | 'files'>;

/** Delete expired print sheets with their files, and fail those whose job was lost. */
export async function cleanUpPrintSheets(shared: Services): Promise<void> {
  const services = { ...shared, database: shared.database.forEveryAccount('WORKER') };
  await removeExpired(services);
  await failLost(services);
}

async function removeExpired({ database, files }: Services): Promise<void> {
  for (;;) {
    const expired = await listExpiredPrintSheets(database.client, BATCH_SIZE);
    for (const key of expired)
      await database.transaction(async (tx) => {
        const deleted = await deletePrintSheet(tx, key);
        if (deleted?.fileId) await files.remove(tx, [deleted.fileId]);
      });
    if (expired.length < BATCH_SIZE) return;
  }
}

async function failLost(services: Services): Promise<void> {
  const { database, jobs } = services;
  for (let after = ''; ; ) {
    const waiting = await listWaitingPrintSheets(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (!last) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const ids = waiting.map(({ id }) => id);
    const pending = await jobs.findPending(PRINT_SHEET_QUEUE, 'printSheetId', ids);
    for (const key of waiting)
      if (!pending.has(key.id)) await database.transaction((tx) => failPrintSheet(services, tx, key));
    after = last.id;
  }
}
