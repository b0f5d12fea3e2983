import { insertAuditEntry } from '../../platform/audit.repository.ts';
import {
  deleteDataExport,
  listExpiredDataExports,
  listWaitingDataExports,
} from './data-export.repository.ts';
import { DATA_EXPORT_QUEUE, failDataExport } from './make-export.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

const BATCH_SIZE = 100;

type Services = Pick<PersonalDataServices, 'database' | 'jobs' | 'files'>;

/** Delete expired exports with their files, and fail exports whose job was lost. */
export async function cleanUpDataExports(services: Services): Promise<void> {
  await removeExpired(services);
  await failLostExports(services);
}

async function removeExpired({ database, files }: Services): Promise<void> {
  for (;;) {
    const ended = await listExpiredDataExports(database.client, BATCH_SIZE);
    for (const { id, userId, fileId } of ended)
      await database.transaction(async (tx) => {
        if (!(await deleteDataExport(tx, id)) || !fileId) return;
        await files.remove(tx, [fileId]);
        const entry = { action: 'DATA_EXPORT_REMOVED', outcome: 'SUCCESS', resourceId: userId } as const;
        await insertAuditEntry(tx, { ...entry, operation: 'clean-up', requestId: 'job' });
      });
    if (ended.length < BATCH_SIZE) return;
  }
}

async function failLostExports(services: Services): Promise<void> {
  const { database, jobs } = services;
  for (let after = ''; ; ) {
    const waiting = await listWaitingDataExports(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (!last) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const ids = waiting.map(({ id }) => id);
    const due = await jobs.findPending(DATA_EXPORT_QUEUE, 'exportId', ids);
    for (const row of waiting)
      if (!due.has(row.id)) await database.transaction((tx) => failDataExport(services, tx, row));
    after = last.id;
  }
}
