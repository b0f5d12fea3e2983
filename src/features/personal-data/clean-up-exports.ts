import { insertAuditEntry } from '../../platform/audit.repository.ts';
import {
  deleteDataExport,
  isDataExportFileReferenced,
  listExpiredDataExports,
  listWaitingDataExports,
} from './data-export.repository.ts';
import { listOldDataExportFiles, removeDataExportFile } from './export-files.ts';
import { DATA_EXPORT_QUEUE, failDataExport } from './make-export.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

const BATCH_SIZE = 100;

/** Age from which a file without a row is orphaned; a younger file may still be written. */
const ORPHAN_AGE_MS = 60 * 60 * 1000;

type Services = Pick<PersonalDataServices, 'database' | 'jobs' | 'exportsDir'>;

/** Delete expired exports and orphaned files, and fail exports whose job was lost. */
export async function cleanUpDataExports(services: Services): Promise<void> {
  await removeExpired(services);
  await failLostExports(services);
  await removeOrphanedFiles(services);
}

async function removeExpired({ database, exportsDir }: Services): Promise<void> {
  for (;;) {
    const ended = await listExpiredDataExports(database.client, BATCH_SIZE);
    for (const { id, userId, file } of ended) {
      // The file before its row: after a crash in between, the next run finds the row and repeats the deletion.
      if (file) await removeDataExportFile(exportsDir, file);
      await database.transaction(async (tx) => {
        if (!(await deleteDataExport(tx, id)) || !file) return;
        const entry = { action: 'DATA_EXPORT_REMOVED', outcome: 'SUCCESS', resourceId: userId } as const;
        await insertAuditEntry(tx, { ...entry, operation: 'clean-up', requestId: 'job' });
      });
    }
    if (ended.length < BATCH_SIZE) return;
  }
}

async function failLostExports({ database, jobs }: Services): Promise<void> {
  for (let after = ''; ; ) {
    const waiting = await listWaitingDataExports(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (!last) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const ids = waiting.map(({ id }) => id);
    const due = await jobs.findPending(DATA_EXPORT_QUEUE, 'exportId', ids);
    for (const row of waiting)
      if (!due.has(row.id)) await database.transaction((tx) => failDataExport(tx, row));
    after = last.id;
  }
}

async function removeOrphanedFiles({ database, exportsDir }: Services): Promise<void> {
  for (const name of await listOldDataExportFiles(exportsDir, new Date(Date.now() - ORPHAN_AGE_MS)))
    if (!(await isDataExportFileReferenced(database.client, name)))
      await removeDataExportFile(exportsDir, name);
}
