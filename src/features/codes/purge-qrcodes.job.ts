import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { deletePictures, type EncryptedFileStore } from '../files/index.ts';
import { clearOldFoundDetails, listPurgeableQrCodes, purgeQrCode } from './deleted-qrcode.repository.ts';
import { getQrCodeImagePath } from './image-files.ts';
import { getQrCodeRestoreCutoff } from './restore.rules.ts';

export const PURGE_QR_CODES_QUEUE: JobQueueDefinition = {
  name: 'purge-qr-codes',
  expireInSeconds: 120,
  retryLimit: 3,
  retryDelay: 60,
};

const BATCH_SIZE = 100;

/** Scans stay. */
export function createPurgeQrCodesJob(services: {
  database: Database;
  publicFiles: FileStore;
  files: Pick<EncryptedFileStore, 'remove'>;
}): JobHandler {
  const { database, publicFiles, files } = services;
  return async () => {
    await clearOldFoundDetails(
      database.client,
      new Date(Date.now() - LIFETIMES_SECONDS.foundItemReport * 1000),
    );
    for (;;) {
      const codes = await listPurgeableQrCodes(database.client, getQrCodeRestoreCutoff(), BATCH_SIZE);
      if (codes.length === 0) return;
      for (const { id, accountId, imageFile } of codes) {
        // The file first: after a crash the row still names it, and the next run repeats this.
        if (imageFile) await publicFiles.remove(getQrCodeImagePath(imageFile));
        await database.transaction(async (tx) => {
          if (!(await purgeQrCode(tx, accountId, id))) return;
          await files.remove(tx, await deletePictures(tx, accountId, { qrCodeId: id }));
          const entry = { action: 'QRCODE_PURGED', outcome: 'SUCCESS', resourceId: id } as const;
          await insertAuditEntry(tx, { ...entry, operation: PURGE_QR_CODES_QUEUE.name, requestId: 'job' });
        });
      }
    }
  };
}
