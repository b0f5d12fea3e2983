import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { endErasedUserPayments } from '../billing/index.ts';
import { deleteRemovedFile, listRemovedFileIdsOfOwner } from '../files/index.ts';
import { eraseAccountBatch } from './erase-batch.ts';
import {
  deleteErasedFileRows,
  findUserIdOfUnfinishedErasure,
  finishErasure,
  listErasedFileRows,
  listUnfinishedErasureIds,
  lockErasure,
} from './erasure.repository.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** Queue for the rest of an erasure; a job contains only the id of the row. */
export const ERASURE_QUEUE: JobQueueDefinition = {
  name: 'erase-account',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 10,
};

/** Rows of each table in one transaction; few enough for its timeout in any table. */
const ROW_BATCH_SIZE = 2_000;
const FILE_BATCH_SIZE = 500;
const ERASURE_BATCH_SIZE = 100;

/** Duration of one job; far below its expiry, which is short so that a killed job is soon retried. */
const MAX_SLICE_MS = 20_000;

type Services = Pick<
  PersonalDataServices,
  'database' | 'jobs' | 'payments' | 'log' | 'publicFiles' | 'privateFiles'
>;

/**
 * Create the job that finishes an erasure: it erases the remaining rows and files in batches, and cancels payments and
 * deletes the customer at the provider. A killed job continues where it stopped; a concurrent worker waits.
 */
export function createFinishErasureJob(services: Services): JobHandler {
  const { database, jobs } = services;
  return async ({ erasureId }) => {
    if (typeof erasureId !== 'string') return;
    const until = Date.now() + MAX_SLICE_MS;
    const hasTime = () => Date.now() < until;
    while (hasTime() && !(await eraseRows(services, erasureId)));
    while (hasTime() && (await removeFiles(services, erasureId)));
    while (hasTime() && (await removeStoredFiles(services, erasureId)));
    if (hasTime()) {
      // Last, so that an unavailable provider does not block the rest.
      await endPaymentsOfUser(services, erasureId);
      return completeErasure(services, erasureId);
    }
    await database.transaction((tx) => jobs.enqueue(tx, ERASURE_QUEUE, { erasureId }));
    jobs.wake(ERASURE_QUEUE);
  };
}

/** Resume erasures whose job was lost. */
export async function requeueLostErasures({
  database,
  jobs,
}: Pick<Services, 'database' | 'jobs'>): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await listUnfinishedErasureIds(database.client, after, ERASURE_BATCH_SIZE);
    const last = ids.at(-1);
    if (last === undefined) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const due = await jobs.findPending(ERASURE_QUEUE, 'erasureId', ids);
    for (const erasureId of ids)
      if (!due.has(erasureId))
        await database.transaction((tx) => jobs.enqueue(tx, ERASURE_QUEUE, { erasureId }));
    after = last;
  }
}

/** Erase a batch of rows; true once none remain. */
function eraseRows({ database }: Services, erasureId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const erasure = await lockErasure(tx, erasureId);
    return erasure === null || eraseAccountBatch(tx, erasure, { limit: ROW_BATCH_SIZE, skipLocked: false });
  });
}

/** Remove a batch of public files, then their records; false if there were none. */
async function removeFiles(services: Services, erasureId: string): Promise<boolean> {
  const { client } = services.database;
  const files = await listErasedFileRows(client, erasureId, FILE_BATCH_SIZE);
  for (const { folder, name } of files) await services.publicFiles.remove(`${folder}/${name}`);
  await deleteErasedFileRows(client, erasureId, files);
  return files.length > 0;
}

/** Delete a batch of private files, whose keys are already deleted; false if there were none. */
async function removeStoredFiles(services: Services, erasureId: string): Promise<boolean> {
  const { client } = services.database;
  const userId = await findUserIdOfUnfinishedErasure(client, erasureId);
  const ids = userId === null ? [] : await listRemovedFileIdsOfOwner(client, userId, FILE_BATCH_SIZE);
  for (const id of ids) await deleteRemovedFile(services, id);
  return ids.length > 0;
}

async function endPaymentsOfUser(services: Services, erasureId: string): Promise<void> {
  const userId = await findUserIdOfUnfinishedErasure(services.database.client, erasureId);
  if (userId !== null) await endErasedUserPayments(services, userId);
}

async function completeErasure({ database }: Services, erasureId: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockErasure(tx, erasureId))) return;
    await finishErasure(tx, erasureId);
    const entry = { action: 'ERASURE_FINISHED', outcome: 'SUCCESS', resourceId: erasureId } as const;
    await insertAuditEntry(tx, { ...entry, operation: ERASURE_QUEUE.name, requestId: 'job' });
  });
}
