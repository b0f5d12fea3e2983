import { ServiceError } from '../../shared/errors.ts';
import { createFairLimiter } from '../../shared/fair-limiter.ts';
import { createWorkerProcess, toBuffer } from '../worker-process.ts';
import type { QrCodeDesign, QrCodeDesignInput } from './design.schemas.ts';
import type { QrCodeImageFormat } from './draw-in-format.ts';
import type { ScannableQrImage } from './draw-scannable.ts';
import type { QrDrawingResult, QrDrawingTask } from './qr-drawing.ts';

/** A drawing uses a whole core, up to 0.3 s for 2,048 px with a logo. */
const CONCURRENCY = 2;

/** All that wait are drawn within 20 s; each keeps at most a logo of 64 KiB in memory. */
const MAX_QUEUED = 192;

const MAX_QUEUED_PER_ACCOUNT = 100;

const TIMEOUT_MS = 20_000;

const drawingWorker = createWorkerProcess<QrDrawingTask, QrDrawingResult>(
  './draw-qr-image.process',
  import.meta.url,
  TIMEOUT_MS,
);
const limiter = createFairLimiter({
  concurrency: CONCURRENCY,
  maxQueued: MAX_QUEUED,
  maxQueuedPerKey: MAX_QUEUED_PER_ACCOUNT,
});

/**
 * Draw an image that scans in the drawing process; accounts take turns.
 * @throws RATE_LIMITED when too many of this account wait, BUSY, and as `drawScannableQrImage`
 */
export async function enqueueScannableQrImage(
  accountId: string,
  content: string,
  input: QrCodeDesignInput,
): Promise<ScannableQrImage> {
  const drawn = await enqueue(accountId, { purpose: 'SCANNABLE', content, input });
  if (!('adjusted' in drawn)) throw new Error('The drawing process returned no design.');
  const { bytes, design, adjusted } = drawn;
  return { png: toBuffer(bytes), design, adjusted };
}

/** Draw a stored design in another format. @throws as `enqueueScannableQrImage` */
export async function enqueueQrImageInFormat(
  accountId: string,
  format: QrCodeImageFormat,
  content: string,
  design: QrCodeDesign,
): Promise<Buffer> {
  return toBuffer((await enqueue(accountId, { purpose: 'FORMAT', format, content, design })).bytes);
}

async function enqueue(accountId: string, task: QrDrawingTask) {
  const drawn = await limiter(accountId, () => drawingWorker.run(task));
  if (!('rejected' in drawn)) return drawn;
  const { code, detail, errors } = drawn.rejected;
  throw new ServiceError(code, { detail, ...(errors && { errors }) });
}
