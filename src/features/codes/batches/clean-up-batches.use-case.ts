import type { QrCodeServices } from '../qrcode-services.ts';
import { listBatchesWithJob } from './batch.repository.ts';
import { CREATE_TAGS_QUEUE, DELETE_BATCH_QUEUE } from './batch-queues.ts';
import { finishBatch } from './create-tags.job.ts';

const BATCH_SIZE = 100;

/** Fail batches whose job was lost, and delete those whose deletion was. */
export async function cleanUpBatches({
  database,
  jobs,
}: Pick<QrCodeServices, 'database' | 'jobs'>): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await listBatchesWithJob(database.client, after, BATCH_SIZE);
    const last = rows.at(-1);
    if (!last) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const ids = rows.map(({ id }) => id);
    const creating = await jobs.findPending(CREATE_TAGS_QUEUE, 'batchId', ids);
    const deleting = await jobs.findPending(DELETE_BATCH_QUEUE, 'batchId', ids);
    const error = { code: 'INTERNAL', message: 'The creation of tags was interrupted too often.' };
    for (const { accountId, id, deletedAt } of rows) {
      if (deletedAt === null && !creating.has(id))
        await database.transaction((tx) => finishBatch(tx, { accountId, id }, { status: 'FAILED', error }));
      if (deletedAt !== null && !deleting.has(id))
        await database.transaction((tx) => jobs.enqueue(tx, DELETE_BATCH_QUEUE, { accountId, batchId: id }));
    }
    after = last.id;
  }
}
