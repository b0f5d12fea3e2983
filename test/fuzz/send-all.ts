import type { Operation } from './document.ts';
import { type Job, type Runner, seedOf } from './runner.ts';

/** A run of the command. */
export interface Run {
  seed: number;
  stopping: AbortSignal;
  /** Takes what a job found. */
  found: (failure: string | null) => void;
}

const AT_ONCE = 8;
/** Requests of a job, after which the next operation has its turn. */
const RUNS = 25;

/** Sends so many requests and uploads, several at once, each operation in its turn. */
export async function sendAll(
  runner: Runner,
  { seed, stopping, found }: Run,
  wanted: { requests: number; uploads: number; part: string },
): Promise<void> {
  const from = { requests: runner.tally.requests, uploads: runner.tally.uploads };
  const left = () => ({
    requests: from.requests + wanted.requests - runner.tally.requests,
    uploads: from.uploads + wanted.uploads - runner.tally.uploads,
  });
  const jobs = jobsOf(runner, seed, wanted.part);
  const progress = setInterval(() => {
    const { requests, uploads } = runner.tally;
    process.stderr.write(
      `${wanted.part}: ${requests - from.requests} requests, ${uploads - from.uploads} uploads\n`,
    );
  }, 10_000);
  const work = async () => {
    while (!stopping.aborted) {
      const { requests, uploads } = left();
      if (requests <= 0 && uploads <= 0) return;
      // Both come to their end together.
      const isUpload =
        uploads > 0 && (requests <= 0 || uploads / wanted.uploads > requests / wanted.requests);
      const job = isUpload ? jobs.uploads() : jobs.requests();
      found(await runner.run({ ...job, runs: Math.min(RUNS, Math.ceil(isUpload ? uploads : requests)) }));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    clearInterval(progress);
  }
}

function jobsOf(runner: Runner, seed: number, part: string) {
  const inTurn = (operations: Operation[], isUpload: boolean) => {
    let turn = 0;
    return (): Omit<Job, 'runs'> => {
      const operation = operations[turn % operations.length];
      if (!operation) throw new Error('The document declares no such operation');
      const round = Math.floor(turn / operations.length);
      turn += 1;
      return { operation, isUpload, seed: seedOf(seed, `${part} ${operation.id} ${isUpload}`, round) };
    };
  };
  return { requests: inTurn(runner.operations, false), uploads: inTurn(runner.formOperations, true) };
}
