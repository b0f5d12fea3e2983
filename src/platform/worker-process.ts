import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../shared/errors.ts';

/** A process for work that takes much memory, or that could crash: of both this one keeps nothing. */
export interface WorkerProcess<Task, Result> {
  /** Has a task done, beside others. Throws an Error where the work did, and BUSY where the process ended under way. */
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

/**
 * None of the settings, which hold secrets. Of glibc: what is large is mapped, and so given back when it is freed;
 * otherwise each thread of the pool would keep its largest picture.
 */
const WORKER_ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Milliseconds without a task after which the process ends; the next task has a new one. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * A process that begins with its first task, does not keep this one alive, and ends with it. Who gives it tasks bounds
 * their number.
 * @param module the file beside `here` (import.meta.url), without its extension, that calls `workInProcess`
 * @param taskTimeoutMs after which a task has hung, and the process is ended
 */
export function createWorkerProcess<Task, Result>(
  module: string,
  moduleUrl: string,
  taskTimeoutMs: number,
): WorkerProcess<Task, Result> {
  // Compiled and as it is written, the file has another extension.
  const file = fileURLToPath(new URL(`${module}${extname(moduleUrl)}`, moduleUrl));
  const pending = new Map<number, PendingTask<Result>>();
  let child: ChildProcess | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function open(): ChildProcess {
    const opened = fork(file, {
      env: WORKER_ENVIRONMENT,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    opened.on('message', (answer: TaskResponse<Result>) => {
      const asked = pending.get(answer.id);
      if (!asked) return;
      forget(answer.id, asked);
      if ('result' in answer) asked.resolve(answer.result);
      else asked.reject(new Error(answer.failed));
    });
    opened.on('error', (error) => giveUp(opened, error));
    opened.on('exit', () => giveUp(opened, new Error('The process ended.')));
    return opened;
  }

  function forget(id: number, { timer }: PendingTask<Result>): void {
    clearTimeout(timer);
    pending.delete(id);
    if (pending.size > 0 || !child) return;
    const idleChild = child;
    idleChild.unref();
    idleChild.channel?.unref();
    idleTimer = setTimeout(() => end(idleChild, undefined), IDLE_TIMEOUT_MS).unref();
  }

  function giveUp(ended: ChildProcess, cause: unknown): void {
    if (child !== ended) return;
    child = null;
    clearTimeout(idleTimer);
    for (const [id, asked] of pending) {
      forget(id, asked);
      asked.reject(new ServiceError('BUSY', { retryAfterSeconds: 1, cause }));
    }
  }

  function end(ending: ChildProcess, cause: unknown): void {
    giveUp(ending, cause);
    ending.kill('SIGKILL');
  }

  return {
    run(task) {
      clearTimeout(idleTimer);
      child ??= open();
      const asked = child;
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const cause = new Error(`A task took longer than ${taskTimeoutMs} ms.`);
        const timer = setTimeout(() => end(asked, cause), taskTimeoutMs);
        pending.set(id, { resolve, reject, timer });
        asked.ref();
        asked.channel?.ref();
        asked.send({ id, task } satisfies TaskRequest<Task>, (error) => error && giveUp(asked, error));
      });
    },
  };
}

/** Does the tasks of a process, as many at a time as come; to be called once by the file that the process begins with. */
export function serveProcessTasks<Task, Result>(work: (task: Task) => Promise<Result>): void {
  if (!process.send) throw new Error('This is no process of another.');
  // Also where that one was killed.
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
