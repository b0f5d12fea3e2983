import { createWorkerProcess } from '../../../platform/worker-process.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
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

function createDrawingProcess(concurrency: number) {
  return { worker: createDrawingWorker(), concurrency, limiter: createConcurrencyLimiter(concurrency) };
}

/** A decoder uses a whole core. */
const drawing = createDrawingProcess(2);
/** A process of its own: decoding HEIC blocks it. */
const heicDrawing = createDrawingProcess(1);

/**
 * Maximum waiting drawings, of all and of one requester: an account that uploads, a network that looks at pictures. A
 * waiting upload keeps its bytes in memory. A gallery asks for 24 renditions at once.
 */
const QUEUES = {
  upload: createQueue(drawing, 8, 4),
  rendition: createQueue(drawing, 60, 30),
  heic: createQueue(heicDrawing, 6, 3),
};

function createQueue(process: typeof drawing, maxQueued: number, maxQueuedPerKey: number) {
  const { concurrency, worker, limiter } = process;
  const limitQueue = createFairLimiter({ concurrency, maxQueued, maxQueuedPerKey });
  return { limitQueue, limiter, worker };
}

/**
 * Queue a task for the process of its type, where requesters take turns. `prepare` is called when a slot is free.
 * @throws RATE_LIMITED, BUSY when too many tasks wait or the process ended, and what `prepare` throws
 */
export async function enqueuePictureProcessing(
  name: keyof typeof QUEUES,
  requester: string,
  prepare: () => Promise<PictureProcessingTask> | PictureProcessingTask,
): Promise<PictureProcessingResult> {
  const { limitQueue, limiter, worker } = QUEUES[name];
  // Queues of one process share its slots.
  return limitQueue(requester, () => limiter(async () => worker.run(await prepare())));
}
