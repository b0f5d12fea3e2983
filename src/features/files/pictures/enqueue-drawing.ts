import { createWorkerProcess } from '../../../platform/worker-process.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createLimiter } from '../../../shared/limiter.ts';
import type { DrawingResult, DrawingTask } from './draw.process.ts';

/** What pictures are drawn for, and how many of each may wait: an upload waits with its bytes, the other with nothing. */
const MAX_WAITING = { upload: 8, rendition: 60 };

/** Pictures in work at once. A decoder keeps a core busy. */
const CONCURRENCY = 2;

/** Milliseconds of one picture: the largest takes three seconds on a core of its own. */
const TIMEOUT_MS = 60_000;

const drawingWorker = createWorkerProcess<DrawingTask, DrawingResult>(
  './draw.process',
  import.meta.url,
  TIMEOUT_MS,
);
const limiter = createLimiter(CONCURRENCY);
const waitingCounts = { upload: 0, rendition: 0 };

/**
 * Has a picture drawn by the process that is there for it, when its turn comes: all decoding of pictures is in there.
 * `prepare` is called no sooner. Throws BUSY when too many wait, or the process ended under way, and what `prepare` throws.
 */
export async function enqueueDrawing(
  purpose: keyof typeof MAX_WAITING,
  prepare: () => Promise<DrawingTask> | DrawingTask,
): Promise<DrawingResult> {
  if (waitingCounts[purpose] >= MAX_WAITING[purpose])
    throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  waitingCounts[purpose] += 1;
  return limiter(async () => {
    waitingCounts[purpose] -= 1;
    return drawingWorker.run(await prepare());
  });
}
