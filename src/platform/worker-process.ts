import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../shared/errors.ts';
import { startTaskTimeout } from './task-timeout.ts';

export interface WorkerProcess<Task, Result> {
  /** Run a task, in parallel to others; throws its error, or BUSY where the process ended meanwhile. */
  run(task: Task): Promise<Result>;
}

interface TaskRequest<Task> {
  id: number;
  task: Task;
}
type TaskResponse<Result> = { id: number; result: Result } | { id: number; failed: string };

interface PendingTask<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** No settings, which hold secrets. By default glibc would keep the largest picture of each thread. */
const WORKER_ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

const IDLE_TIMEOUT_MS = 60_000;

/**
 * Create a worker process, started by its first task; the caller limits the number of tasks.
 * @param module file beside `moduleUrl`, without extension, that calls `serveProcessTasks`
 */
export function createWorkerProcess<Task, Result>(
  module: string,
  moduleUrl: string,
  taskTimeoutMs: number,
): WorkerProcess<Task, Result> {
  // Source and compiled file have different extensions.
  const file = fileURLToPath(new URL(`${module}${extname(moduleUrl)}`, moduleUrl));
  const pending = new Map<number, PendingTask<Result>>();
  let child: ChildProcess | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function open(): ChildProcess {
    const newChild = fork(file, {
      env: WORKER_ENVIRONMENT,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    newChild.on('message', (answer: TaskResponse<Result>) => {
      const pendingTask = pending.get(answer.id);
      if (!pendingTask) return;
      removePending(answer.id, pendingTask);
      if ('result' in answer) pendingTask.resolve(answer.result);
      else pendingTask.reject(new Error(answer.failed));
    });
    newChild.on('error', (error) => failPending(newChild, error));
    newChild.on('exit', () => failPending(newChild, new Error('The process ended.')));
    return newChild;
  }

  function removePending(id: number, { timer }: PendingTask<Result>): void {
    clearTimeout(timer);
    pending.delete(id);
    if (pending.size > 0 || !child) return;
    const idleChild = child;
    idleChild.unref();
    idleChild.channel?.unref();
    idleTimer = setTimeout(() => end(idleChild, undefined), IDLE_TIMEOUT_MS).unref();
  }

  function failPending(exitedChild: ChildProcess, cause: unknown): void {
    if (child !== exitedChild) return;
    child = null;
    clearTimeout(idleTimer);
    for (const [id, pendingTask] of pending) {
      removePending(id, pendingTask);
      pendingTask.reject(new ServiceError('BUSY', { retryAfterSeconds: 1, cause }));
    }
  }

  function end(target: ChildProcess, cause: unknown): void {
    failPending(target, cause);
    target.kill('SIGKILL');
  }

  return {
    run(task) {
      clearTimeout(idleTimer);
      child ??= open();
      const target = child;
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = startTaskTimeout(taskTimeoutMs, (cause) => end(target, cause));
        pending.set(id, { resolve, reject, timer });
        target.ref();
        target.channel?.ref();
        target.send({ id, task } satisfies TaskRequest<Task>, (error) => error && failPending(target, error));
      });
    },
  };
}

/** Wrap bytes of another process, which arrive as a plain Uint8Array, without a copy. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Serve tasks in parallel; call it once from the file that the process runs. */
export function serveProcessTasks<Task, Result>(work: (task: Task) => Promise<Result>): void {
  if (!process.send) throw new Error('This process has no parent.');
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, task }: TaskRequest<Task>) => {
    work(task).then(
      (result) => answer({ id, result }),
      (error) => answer({ id, failed: error instanceof Error ? error.message : String(error) }),
    );
  });

  function answer(response: TaskResponse<Result>): void {
    process.send?.(response);
  }
}
