import { extname } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { ServiceError } from '../shared/errors.ts';

/** A thread for work that computes for so long that others would wait for it. */
export interface WorkerThread<Task, Result> {
  /**
   * Has a task done after those before it. Throws what the work throws, and BUSY where the thread ended under way: then
   * the next task has a new one.
   */
  run(task: Task): Promise<Result>;
  /** Ends the thread; what is under way is BUSY, and so is what comes later. */
  close(): Promise<void>;
}

/** What is sent to a thread, and what comes back. */
interface Asked<Task> {
  id: number;
  task: Task;
}
type Answered<Result> = { id: number; result: Result } | { id: number; error: unknown };

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** A thread gets none of the settings, which hold secrets. */
const ENVIRONMENT = {};

/**
 * A thread that begins with its first task, and without one does not keep the process alive. Who gives it tasks bounds their number.
 * @param module the file beside `here` (import.meta.url), without its extension, that calls `workInThread`
 * @param longestMs after which a task has hung, and the thread is ended
 */
export function createWorkerThread<Task, Result>(
  module: string,
  here: string,
  longestMs: number,
): WorkerThread<Task, Result> {
  // Compiled and as it is written, the file has another extension.
  const file = new URL(`${module}${extname(here)}`, here);
  const waiting = new Map<number, Waiting<Result>>();
  let worker: Worker | null = null;
  let isClosed = false;
  let last = 0;

  function open(): Worker {
    const opened = new Worker(file, { env: ENVIRONMENT });
    opened.on('message', (answer: Answered<Result>) => {
      const asked = waiting.get(answer.id);
      if (!asked) return;
      forget(answer.id, asked);
      if ('result' in answer) asked.resolve(answer.result);
      else asked.reject(answer.error);
    });
    opened.on('error', (error) => giveUp(opened, error));
    opened.on('exit', () => giveUp(opened, new Error('The thread ended.')));
    return opened;
  }

  function forget(id: number, { timer }: Waiting<Result>): void {
    clearTimeout(timer);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
  }

  function giveUp(ended: Worker, cause: unknown): void {
    if (worker !== ended) return;
    worker = null;
    for (const [id, asked] of waiting) {
      forget(id, asked);
      asked.reject(busy(cause));
    }
  }

  return {
    run(task) {
      if (isClosed) return Promise.reject(busy(undefined));
      worker ??= open();
      const asked = worker;
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          giveUp(asked, new Error(`A task took longer than ${longestMs} ms.`));
          void asked.terminate();
        }, longestMs);
        waiting.set(id, { resolve, reject, timer });
        asked.ref();
        asked.postMessage({ id, task } satisfies Asked<Task>);
      });
    },
    async close() {
      isClosed = true;
      const ending = worker;
      if (!ending) return;
      giveUp(ending, undefined);
      await ending.terminate();
    },
  };
}

/** Does the tasks of a thread, one after another; to be called once by the file that the thread begins with. */
export function workInThread<Task, Result>(
  work: (task: Task) => Promise<{ result: Result; moved?: ArrayBuffer[] }>,
): void {
  if (isMainThread || !parentPort) throw new Error('This is no thread.');
  const port = parentPort;
  let before = Promise.resolve();
  port.on('message', ({ id, task }: Asked<Task>) => {
    before = before.then(async () => {
      try {
        const { result, moved = [] } = await work(task);
        port.postMessage({ id, result } satisfies Answered<Result>, moved);
      } catch (error) {
        port.postMessage({ id, error } satisfies Answered<Result>);
      }
    });
  });
}

function busy(cause: unknown): ServiceError {
  return new ServiceError('BUSY', { retryAfterSeconds: 1, cause });
}
