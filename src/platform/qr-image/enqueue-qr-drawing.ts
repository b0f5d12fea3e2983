import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../shared/errors.ts';
import { createFairLimiter, rethrowAsBusy } from '../../shared/fair-limiter.ts';
import { createSingleFlight } from '../../shared/memoize.ts';
import { createWorkerProcess, toBuffer } from '../worker-process.ts';
import type { QrCodeDesign, QrCodeDesignAdjustment, QrCodeDesignInput } from './design.schemas.ts';
import type { QrCodeImageFormat, QrCodeImageOptions } from './draw-in-format.ts';
import type { ScannableQrImage } from './draw-scannable.ts';
import { QR_IMAGE_SIZE_PIXELS } from './image-size.rules.ts';
import { describeQrContentShape } from './matrix.ts';
import type { QrDrawingRejection, QrDrawingResult, QrDrawingTask } from './qr-drawing.ts';

/** A drawing uses a whole core: up to 0.3 s for 2,048 px with a logo, 0.5 s for a PDF, which is decoded as well. */
const CONCURRENCY = 2;

/** All that wait are drawn within a minute; each keeps at most a logo of 64 KiB in memory. */
const MAX_QUEUED = 192;

const MAX_QUEUED_PER_ACCOUNT = 100;

const TIMEOUT_MS = 20_000;

type ImageDrawingTask = Exclude<QrDrawingTask, { purpose: 'READ' }>;

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

/** Photos may have 2 MB each, and come from anybody: they take turns among themselves, and one process reads them. */
const readingWorker = createWorkerProcess<QrDrawingTask, QrDrawingResult>(
  './draw-qr-image.process',
  import.meta.url,
  TIMEOUT_MS,
);
const readingLimiter = createFairLimiter({ concurrency: 1, maxQueued: 8, maxQueuedPerKey: 2 });

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

export interface ScannableDesign {
  design: QrCodeDesign;
  adjusted: readonly QrCodeDesignAdjustment[];
}

/** Checked designs, most of them small; a logo has up to 88 kB. */
const checkedDesigns = new LRUCache<string, ScannableDesign | QrDrawingRejection>({
  max: 5_000,
  maxSize: 8_000_000,
  sizeCalculation: (checked) => 500 + ('design' in checked ? (checked.design.logo?.length ?? 0) : 0),
});

const checkOnce = createSingleFlight<ScannableDesign | QrDrawingRejection>();

/**
 * Check that a design scans, by drawing it once for each length of content: symbols of one length have the same modules,
 * quiet zone and logo, and differ in data only.
 * @throws as `enqueueScannableQrImage`
 */
export async function checkScannableDesign(
  accountId: string,
  content: string,
  input: QrCodeDesignInput,
): Promise<ScannableDesign> {
  const key = getCheckKey(content, input);
  const checked =
    checkedDesigns.get(key) ??
    (await checkOnce(key, async () => {
      const drawn = await run(accountId, { purpose: 'SCANNABLE', content, input }).catch(rethrowAsBusy);
      const result = 'rejected' in drawn ? drawn : toScannableDesign(drawn);
      checkedDesigns.set(key, result);
      return result;
    }));
  if ('rejected' in checked) throw toServiceError(checked);
  return checked;
}

/** Whether `checkScannableDesign` needs no drawing. */
export function isDesignChecked(content: string, input: QrCodeDesignInput): boolean {
  return checkedDesigns.has(getCheckKey(content, input));
}

function getCheckKey(content: string, input: QrCodeDesignInput): string {
  return createHash('sha256')
    .update(JSON.stringify([describeQrContentShape(content), Object.entries(input).sort()]))
    .digest('base64');
}

function toScannableDesign(drawn: Exclude<QrDrawingResult, QrDrawingRejection>): ScannableDesign {
  if (!('adjusted' in drawn)) throw new Error('The drawing process returned no design.');
  const { design, adjusted } = drawn;
  return { design, adjusted };
}

/** Draw a stored design in another format. @throws as `enqueueScannableQrImage` */
export async function enqueueQrImageInFormat(
  accountId: string,
  format: QrCodeImageFormat,
  content: string,
  design: QrCodeDesign,
  options?: QrCodeImageOptions,
): Promise<Buffer> {
  const task = { purpose: 'FORMAT', format, content, design, options } as const;
  const drawn = await enqueue(accountId, task);
  if (!('bytes' in drawn)) throw new Error('The drawing process returned no image.');
  return toBuffer(drawn.bytes);
}

/**
 * Read the codes on a photo that was redrawn by the service, in a drawing process of its own.
 * @param key the account or network whose turn it is
 * @throws RATE_LIMITED, BUSY
 */
export async function enqueuePhotoReading(key: string, photo: Uint8Array): Promise<readonly string[]> {
  const read = await readingLimiter(key, () => readingWorker.run({ purpose: 'READ', photo }));
  if ('rejected' in read) throw toServiceError(read);
  if (!('texts' in read)) throw new Error('The drawing process returned no texts.');
  return read.texts;
}

async function enqueue(accountId: string, task: ImageDrawingTask) {
  const drawn = await run(accountId, task);
  if ('rejected' in drawn) throw toServiceError(drawn);
  return drawn;
}

function run(accountId: string, task: ImageDrawingTask): Promise<QrDrawingResult> {
  return limiter(accountId, () => drawingWorker.run(task), computeDrawingCost(task));
}

/** About proportional to the time, relative to the default size. */
function computeDrawingCost(task: ImageDrawingTask): number {
  const { size = QR_IMAGE_SIZE_PIXELS.default } = task.purpose === 'SCANNABLE' ? task.input : task.design;
  return (size / QR_IMAGE_SIZE_PIXELS.default) ** 2;
}

function toServiceError({ rejected: { code, detail, errors } }: QrDrawingRejection): ServiceError {
  return new ServiceError(code, { detail, ...(errors && { errors }) });
}
