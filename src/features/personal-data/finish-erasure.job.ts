import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { endPayments } from '../billing/index.ts';
import { deleteRemovedFile, listRemovedFilesOfOwner } from '../files/index.ts';
import { eraseAccountBatch } from './erase-batch.ts';
import {
  deleteErasedFiles,
  findUserIdOfUnfinishedErasure,
  finishErasure,
  listErasedFiles,
  listUnfinishedErasures,
  lockErasure,
} from './erasure.repository.ts';
import { removeExportFile } from './export-files.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** The queue of what an erasure leaves to do; its jobs carry only the id of a row. */
export const ERASURE_QUEUE: JobQueueDefinition = {
  name: 'erase-account',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 10,
};

/** Rows of each kind in one transaction: well within its time, whatever they are. */
const ROW_BATCH_SIZE = 2_000;
const FILE_BATCH_SIZE = 500;
const ERASURE_BATCH_SIZE = 100;

/** Milliseconds of one job; below its expiry, so that what a kill left is taken up soon. */
const MAX_SLICE_MS = 20_000;

type Services = Pick<
  PersonalDataServices,
  'database' | 'jobs' | 'payments' | 'log' | 'exportsDir' | 'publicFiles' | 'privateFiles'
>;

/** Erases what an erasure left: rows and files, some at a time, and what a payment provider has of the person. Killed, it goes on where it was; of two workers one waits. */
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
      // Last: a provider that is away keeps nothing else from going.
      await endPaymentsOfUser(services, erasureId);
      return completeErasure(services, erasureId);
    }
    await database.transaction((tx) => jobs.enqueue(tx, ERASURE_QUEUE, { erasureId }));
    jobs.wake(ERASURE_QUEUE);
  };
}

/** Has erasures whose job was lost gone on with. */
export async function resumeErasures({ database, jobs }: Pick<Services, 'database' | 'jobs'>): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await listUnfinishedErasures(database.client, after, ERASURE_BATCH_SIZE);
    const last = ids.at(-1);
    if (last === undefined) return;
    // Read after the rows, which are written together with their jobs.
    const due = await jobs.findPending(ERASURE_QUEUE, 'erasureId', ids);
    for (const erasureId of ids)
      if (!due.has(erasureId))
        await database.transaction((tx) => jobs.enqueue(tx, ERASURE_QUEUE, { erasureId }));
    after = last;
  }
}

/** Erases some rows; true once none remain. */
function eraseRows({ database }: Services, erasureId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const erasure = await lockErasure(tx, erasureId);
    return erasure === null || eraseAccountBatch(tx, erasure, { limit: ROW_BATCH_SIZE, isFirst: false });
  });
}

/** Removes some files, and forgets their names once they are gone; false where there was none. */
async function removeFiles(services: Services, erasureId: string): Promise<boolean> {
  const { client } = services.database;
  const files = await listErasedFiles(client, erasureId, FILE_BATCH_SIZE);
  for (const { folder, name } of files)
    if (folder === 'exports') await removeExportFile(services.exportsDir, name);
    else await services.publicFiles.remove(`${folder}/${name}`);
  await deleteErasedFiles(client, erasureId, files);
  return files.length > 0;
}

/** Removes some private files, whose keys are gone; false where there was none. */
async function removeStoredFiles(services: Services, erasureId: string): Promise<boolean> {
  const { client } = services.database;
  const userId = await findUserIdOfUnfinishedErasure(client, erasureId);
  const ids = userId === null ? [] : await listRemovedFilesOfOwner(client, userId, FILE_BATCH_SIZE);
  for (const id of ids) await deleteRemovedFile(services, id);
  return ids.length > 0;
}

async function endPaymentsOfUser(services: Services, erasureId: string): Promise<void> {
  const userId = await findUserIdOfUnfinishedErasure(services.database.client, erasureId);
  if (userId !== null) await endPayments(services, userId);
}

async function completeErasure({ database }: Services, erasureId: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockErasure(tx, erasureId))) return;
    await finishErasure(tx, erasureId);
    const entry = { action: 'ERASURE_FINISHED', outcome: 'SUCCESS', resourceId: erasureId } as const;
    await insertAuditEntry(tx, { ...entry, operation: ERASURE_QUEUE.name, requestId: 'job' });
  });
}
