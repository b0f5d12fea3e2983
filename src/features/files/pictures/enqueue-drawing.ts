import { createWorkerProcess } from '../../../platform/worker-process.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
import type { PictureProcessingResult, PictureProcessingTask } from './draw.process.ts';

/** For one picture; the largest takes about three seconds on its own core, HEIC included. */
const TIMEOUT_MS = 60_000;

const createDrawingWorker = () =>
  createWorkerProcess<PictureProcessingTask, PictureProcessingResult>(
    './draw.process',
    import.meta.url,
    TIMEOUT_MS,
  );

/** More than the queues of a process admit. */
const MAX_WAITING = 100;

function createDrawingProcess(concurrency: number) {
  const limiter = createFairLimiter({ concurrency, maxQueued: MAX_WAITING, maxQueuedPerKey: MAX_WAITING });
  return { worker: createDrawingWorker(), limiter };
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

function createQueue(process: typeof drawing, maxWaiting: number, maxWaitingOfRequester: number) {
  return { ...process, maxWaiting, maxWaitingOfRequester, waiting: [] as string[] };
}

/**
 * Queue a task for the process of its type, where requesters take turns. `prepare` is called when a slot is free.
 * @throws BUSY when too many tasks wait or the process ended, and what `prepare` throws
 */
export async function enqueuePictureProcessing(
  name: keyof typeof QUEUES,
  requester: string,
  prepare: () => Promise<PictureProcessingTask> | PictureProcessingTask,
): Promise<PictureProcessingResult> {
  const { limiter, waiting, maxWaiting, maxWaitingOfRequester, worker } = QUEUES[name];
  const waitingOfRequester = waiting.filter((one) => one === requester).length;
  if (waiting.length >= maxWaiting || waitingOfRequester >= maxWaitingOfRequester)
    throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  waiting.push(requester);
  return limiter(requester, async () => {
    waiting.splice(waiting.indexOf(requester), 1);
    return worker.run(await prepare());
  });
}
