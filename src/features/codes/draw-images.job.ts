import type { Tx } from '../../platform/database.ts';
import { type JobHandler, SilentRetryError } from '../../platform/job-worker.ts';
import type { JobQueueDefinition, JobScheduler } from '../../platform/jobs.ts';
import { ServiceError } from '../../shared/errors.ts';
import { drawMissingQrCodeImage, type QrCodeImageServices } from './draw-missing-image.ts';
import { getQrCodeImagePath } from './image-files.ts';
import { listQrCodeImagesBetween } from './qrcode-image.repository.ts';

/** A job draws at most `CODES_PER_JOB` images, and a repeated one only what is still missing. */
export const DRAW_QR_CODE_IMAGES_QUEUE: JobQueueDefinition = {
  name: 'draw-qr-code-images',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 10,
};

const CODES_PER_JOB = 100;

/** Enqueue the drawing of images of codes that this transaction creates. */
export async function enqueueQrCodeImages(
  jobs: JobScheduler,
  tx: Tx,
  accountId: string,
  qrCodeIds: readonly string[],
): Promise<void> {
  const ids = qrCodeIds.toSorted();
  const payloads: { accountId: string; firstId: string; lastId: string }[] = [];
  for (let at = 0; at < ids.length; at += CODES_PER_JOB) {
    const batch = ids.slice(at, at + CODES_PER_JOB);
    payloads.push({ accountId, firstId: batch[0] ?? '', lastId: batch.at(-1) ?? '' });
  }
  await jobs.enqueueAll(tx, DRAW_QR_CODE_IMAGES_QUEUE, payloads);
}

/** Draw one image at a time, so that interactive drawings do not wait. */
export function createDrawQrCodeImagesJob(services: QrCodeImageServices): JobHandler {
  return async ({ accountId, firstId, lastId }) => {
    const range = { firstId: String(firstId), lastId: String(lastId) };
    for (const imageFile of await listQrCodeImagesBetween(
      services.database.client,
      String(accountId),
      range,
    )) {
      if (await services.publicFiles.stat(getQrCodeImagePath(imageFile))) continue;
      try {
        await drawMissingQrCodeImage(services, imageFile);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.statusCode === 503) throw new SilentRetryError();
        // The content of this code fails its integrity check: its owner sees it when asking for the image.
      }
    }
  };
}
