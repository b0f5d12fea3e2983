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

/** Maximum waiting drawings, of all and of one account; a waiting upload keeps its bytes in memory. */
const QUEUES = {
  upload: createQueue(drawing, 8, 4),
  rendition: createQueue(drawing, 60, 60),
  heic: createQueue(heicDrawing, 6, 3),
};

function createQueue(process: typeof drawing, maxWaiting: number, maxWaitingOfAccount: number) {
  return { ...process, maxWaiting, maxWaitingOfAccount, waiting: [] as string[] };
}

/**
 * Queue a task for the process of its type. `prepare` is called when a slot is free.
 * @throws BUSY when too many tasks wait or the process ended, and what `prepare` throws
 */
export async function enqueuePictureProcessing(
  name: keyof typeof QUEUES,
  accountId: string,
  prepare: () => Promise<PictureProcessingTask> | PictureProcessingTask,
): Promise<PictureProcessingResult> {
  const { limiter, waiting, maxWaiting, maxWaitingOfAccount, worker } = QUEUES[name];
  const waitingOfAccount = waiting.filter((one) => one === accountId).length;
  if (waiting.length >= maxWaiting || waitingOfAccount >= maxWaitingOfAccount)
    throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  waiting.push(accountId);
  return limiter(async () => {
    waiting.splice(waiting.indexOf(accountId), 1);
    return worker.run(await prepare());
  });
}
