import type { JobHandler } from '../../../platform/job-worker.ts';
import { removeQrCodeImage } from '../image-files.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { deleteEmptyBatch, isBatchDeleted } from './batch.repository.ts';
import { deleteSomeTags } from './batch-tag.repository.ts';

/** Tags in a transaction: each code updates the counts of the account. */
const BATCH_SIZE = 250;

/** Create the job that deletes the tags of a deleted batch with their unclaimed codes, then the batch. */
export function createDeleteBatchJob({
  database,
  publicFiles,
}: Pick<QrCodeServices, 'database' | 'publicFiles'>): JobHandler {
  return async ({ accountId, batchId }) => {
    const key = { accountId: String(accountId), id: String(batchId) };
    for (;;) {
      const imageFiles = await database.transaction(async (tx) => {
        if (!(await isBatchDeleted(tx, key))) return null;
        const images = await deleteSomeTags(tx, key, BATCH_SIZE);
        if (!images) await deleteEmptyBatch(tx, key);
        return images;
      });
      if (!imageFiles) return;
      for (const imageFile of imageFiles) await removeQrCodeImage(publicFiles, imageFile);
    }
  };
}
