import { insertAuditEntry } from '../../platform/audit.repository.ts';
import {
  deleteExport,
  isExportFileNamed,
  listEndedExports,
  listWaitingExports,
} from './data-export.repository.ts';
import { oldExportFiles, removeExport } from './export-files.ts';
import { EXPORT_QUEUE, giveUpExport } from './make-export.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

const AT_ONCE = 100;

/** Milliseconds after which a file that no row names is left over; one that is being written is younger. */
const LEFT_OVER = 60 * 60 * 1000;

type Services = Pick<PersonalDataServices, 'database' | 'jobs' | 'exportsDir'>;

/** Removes archives after their seven days, files that a kill left, and gives up exports whose job was lost. */
export async function cleanUpExports(services: Services): Promise<void> {
  await removeEnded(services);
  await giveUpLost(services);
  await removeLeftOver(services);
}

async function removeEnded({ database, exportsDir }: Services): Promise<void> {
  for (;;) {
    const ended = await listEndedExports(database.client, AT_ONCE);
    for (const { id, userId, file } of ended) {
      // The file first: while the row still names it, a kill here only makes the next run do it again.
      if (file) await removeExport(exportsDir, file);
      await database.transaction(async (tx) => {
        if (!(await deleteExport(tx, id)) || !file) return;
        const entry = { action: 'DATA_EXPORT_REMOVED', outcome: 'SUCCESS', resourceId: userId } as const;
        await insertAuditEntry(tx, { ...entry, operation: 'clean-up', requestId: 'job' });
      });
    }
    if (ended.length < AT_ONCE) return;
  }
}

async function giveUpLost({ database, jobs }: Services): Promise<void> {
  for (let after = ''; ; ) {
    const waiting = await listWaitingExports(database.client, after, AT_ONCE);
    const last = waiting.at(-1);
    if (!last) return;
    // Read after the rows, which are written together with their jobs.
    const ids = waiting.map(({ id }) => id);
    const due = await jobs.due(EXPORT_QUEUE, 'exportId', ids);
    for (const row of waiting)
      if (!due.has(row.id)) await database.transaction((tx) => giveUpExport(tx, row));
    after = last.id;
  }
}

async function removeLeftOver({ database, exportsDir }: Services): Promise<void> {
  for (const name of await oldExportFiles(exportsDir, new Date(Date.now() - LEFT_OVER)))
    if (!(await isExportFileNamed(database.client, name))) await removeExport(exportsDir, name);
}
