import { extname } from 'node:path';
import { isMainThread, parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { ServiceError } from '../shared/errors.ts';
import { startTaskTimeout } from './task-timeout.ts';

export interface WorkerThread<Task, Result> {
  /** Run a task after those before it; throws its error, or BUSY where the thread ended meanwhile. */
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

interface TaskRequest<Task> {
  id: number;
  task: Task;
}
type TaskResponse<Result> = { id: number; result: Result } | { id: number; error: unknown };

interface PendingTask<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** No settings, which hold secrets. */
const WORKER_ENVIRONMENT = {};

/**
 * Create a worker thread, started by its first task; the caller limits the number of tasks.
 * @param module file beside `moduleUrl`, without extension, that calls `serveThreadTasks`
 */
export function createWorkerThread<Task, Result>(
  module: string,
  moduleUrl: string,
  taskTimeoutMs: number,
  resourceLimits: ResourceLimits = {},
): WorkerThread<Task, Result> {
  // Source and compiled file have different extensions.
  const file = new URL(`${module}${extname(moduleUrl)}`, moduleUrl);
  const pending = new Map<number, PendingTask<Result>>();
  let worker: Worker | null = null;
  let isClosed = false;
  let lastId = 0;

  function open(): Worker {
    const newWorker = new Worker(file, { env: WORKER_ENVIRONMENT, resourceLimits });
    newWorker.on('message', (answer: TaskResponse<Result>) => {
      const pendingTask = pending.get(answer.id);
      if (!pendingTask) return;
      removePending(answer.id, pendingTask);
      if ('result' in answer) pendingTask.resolve(answer.result);
      else pendingTask.reject(answer.error);
    });
    newWorker.on('error', (error) => failPending(newWorker, error));
    newWorker.on('exit', () => failPending(newWorker, new Error('The thread ended.')));
    return newWorker;
  }

  function removePending(id: number, { timer }: PendingTask<Result>): void {
    clearTimeout(timer);
    pending.delete(id);
    if (pending.size === 0) worker?.unref();
  }

  function failPending(exitedWorker: Worker, cause: unknown): void {
    if (worker !== exitedWorker) return;
    worker = null;
    for (const [id, pendingTask] of pending) {
      removePending(id, pendingTask);
      pendingTask.reject(createBusyError(cause));
    }
  }

  return {
    run(task) {
      if (isClosed) return Promise.reject(createBusyError(undefined));
      worker ??= open();
      const target = worker;
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = startTaskTimeout(taskTimeoutMs, (cause) => {
          failPending(target, cause);
          void target.terminate();
        });
        pending.set(id, { resolve, reject, timer });
        target.ref();
        target.postMessage({ id, task } satisfies TaskRequest<Task>);
      });
    },
    async close() {
      isClosed = true;
      const target = worker;
      if (!target) return;
      failPending(target, undefined);
      await target.terminate();
    },
  };
}

/** Serve tasks one after another; call it once from the file that the thread runs. */
export function serveThreadTasks<Task, Result>(
  work: (task: Task) => Promise<{ result: Result; moved?: ArrayBuffer[] }>,
): void {
  if (isMainThread || !parentPort) throw new Error('This is not a worker thread.');
  const port = parentPort;
  let previous = Promise.resolve();
  port.on('message', ({ id, task }: TaskRequest<Task>) => {
    previous = previous.then(async () => {
      try {
        const { result, moved: transferList = [] } = await work(task);
        port.postMessage({ id, result } satisfies TaskResponse<Result>, transferList);
      } catch (error) {
        port.postMessage({ id, error } satisfies TaskResponse<Result>);
      }
    });
  });
}

function createBusyError(cause: unknown): ServiceError {
  return new ServiceError('BUSY', { retryAfterSeconds: 1, cause });
}
