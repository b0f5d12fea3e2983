import { createWorkerProcess } from '../../../platform/worker-process.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import type { PictureProcessingResult, PictureProcessingTask } from './draw.process.ts';

/** For one picture; the largest takes about three seconds on its own core, HEIC included. */
const TIMEOUT_MS = 60_000;

const createDrawingWorker = () =>
  createWorkerProcess<PictureProcessingTask, PictureProcessingResult>(
    './draw.process',
    import.meta.url,
    TIMEOUT_MS,
  );

/** A decoder uses a whole core. */
const drawing = { worker: createDrawingWorker(), limiter: createConcurrencyLimiter(2) };
/** A process of its own: decoding HEIC blocks it. */
const heicDrawing = { worker: createDrawingWorker(), limiter: createConcurrencyLimiter(1) };

/** Maximum waiting drawings; a waiting upload keeps its bytes in memory. */
const QUEUES = {
  upload: { ...drawing, maxWaiting: 8, waiting: 0 },
  rendition: { ...drawing, maxWaiting: 60, waiting: 0 },
  heic: { ...heicDrawing, maxWaiting: 4, waiting: 0 },
};

/**
 * Queue a task for the process of its type. `prepare` is called when a slot is free.
 * @throws BUSY when the queue is full or the process ended, and what `prepare` throws
 */
export async function enqueuePictureProcessing(
  name: keyof typeof QUEUES,
  prepare: () => Promise<PictureProcessingTask> | PictureProcessingTask,
): Promise<PictureProcessingResult> {
  const queue = QUEUES[name];
  if (queue.waiting >= queue.maxWaiting) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  queue.waiting += 1;
  return queue.limiter(async () => {
    queue.waiting -= 1;
    return queue.worker.run(await prepare());
  });
}
