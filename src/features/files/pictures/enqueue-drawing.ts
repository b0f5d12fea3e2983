import { createWorkerProcess } from '../../../platform/worker-process.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import type { PictureProcessingResult, PictureProcessingTask } from './draw.process.ts';

/** Maximum waiting drawings; a waiting upload keeps its bytes in memory. */
const MAX_WAITING = { upload: 8, rendition: 60 };

/** A decoder uses a whole core. */
const CONCURRENCY = 2;

/** For one picture; the largest takes three seconds on its own core. */
const TIMEOUT_MS = 60_000;

const drawingWorker = createWorkerProcess<PictureProcessingTask, PictureProcessingResult>(
  './draw.process',
  import.meta.url,
  TIMEOUT_MS,
);
const limiter = createConcurrencyLimiter(CONCURRENCY);
const waitingCounts = { upload: 0, rendition: 0 };

/**
 * Queue a drawing for the drawing process, which does all decoding. `prepare` is called when a slot is free.
 * @throws BUSY when the queue is full or the process ended, and what `prepare` throws
 */
export async function enqueuePictureProcessing(
  purpose: keyof typeof MAX_WAITING,
  prepare: () => Promise<PictureProcessingTask> | PictureProcessingTask,
): Promise<PictureProcessingResult> {
  if (waitingCounts[purpose] >= MAX_WAITING[purpose])
    throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  waitingCounts[purpose] += 1;
  return limiter(async () => {
    waitingCounts[purpose] -= 1;
    return drawingWorker.run(await prepare());
  });
}
