import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../shared/errors.ts';

/** A process for work that takes much memory, or that could crash: of both this one keeps nothing. */
export interface WorkerProcess<Task, Result> {
  /** Has a task done, beside others. Throws an Error where the work did, and BUSY where the process ended under way. */
  run(task: Task): Promise<Result>;
}

interface Asked<Task> {
  id: number;
  task: Task;
}
type Answered<Result> = { id: number; result: Result } | { id: number; failed: string };

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/**
 * None of the settings, which hold secrets. Of glibc: what is large is mapped, and so given back when it is freed;
 * otherwise each thread of the pool would keep its largest picture.
 */
const ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Milliseconds without a task after which the process ends; the next task has a new one. */
const IDLE_MS = 60_000;

/**
 * A process that begins with its first task, does not keep this one alive, and ends with it. Who gives it tasks bounds
 * their number.
 * @param module the file beside `here` (import.meta.url), without its extension, that calls `workInProcess`
 * @param longestMs after which a task has hung, and the process is ended
 */
export function createWorkerProcess<Task, Result>(
  module: string,
  here: string,
  longestMs: number,
): WorkerProcess<Task, Result> {
  // Compiled and as it is written, the file has another extension.
  const file = fileURLToPath(new URL(`${module}${extname(here)}`, here));
  const waiting = new Map<number, Waiting<Result>>();
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  function open(): ChildProcess {
    const opened = fork(file, {
      env: ENVIRONMENT,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    opened.on('message', (answer: Answered<Result>) => {
      const asked = waiting.get(answer.id);
      if (!asked) return;
      forget(answer.id, asked);
      if ('result' in answer) asked.resolve(answer.result);
      else asked.reject(new Error(answer.failed));
    });
    opened.on('error', (error) => giveUp(opened, error));
    opened.on('exit', () => giveUp(opened, new Error('The process ended.')));
    return opened;
  }

  function forget(id: number, { timer }: Waiting<Result>): void {
    clearTimeout(timer);
    waiting.delete(id);
    if (waiting.size > 0 || !child) return;
    const resting = child;
    resting.unref();
    resting.channel?.unref();
    idle = setTimeout(() => end(resting, undefined), IDLE_MS).unref();
  }

  function giveUp(ended: ChildProcess, cause: unknown): void {
    if (child !== ended) return;
    child = null;
    clearTimeout(idle);
    for (const [id, asked] of waiting) {
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
      clearTimeout(idle);
      child ??= open();
      const asked = child;
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        const cause = new Error(`A task took longer than ${longestMs} ms.`);
        const timer = setTimeout(() => end(asked, cause), longestMs);
        waiting.set(id, { resolve, reject, timer });
        asked.ref();
        asked.channel?.ref();
        asked.send({ id, task } satisfies Asked<Task>, (error) => error && giveUp(asked, error));
      });
    },
  };
}

/** Does the tasks of a process, as many at a time as come; to be called once by the file that the process begins with. */
export function workInProcess<Task, Result>(work: (task: Task) => Promise<Result>): void {
  if (!process.send) throw new Error('This is no process of another.');
  // Also where that one was killed.
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, task }: Asked<Task>) => {
    work(task).then(
      (result) => answer({ id, result }),
      (error) => answer({ id, failed: error instanceof Error ? error.message : String(error) }),
    );
  });

  function answer(answered: Answered<Result>): void {
    process.send?.(answered);
  }
}
