import type { Operation } from './document.ts';
import { deriveSeed, type FuzzJob, type FuzzRunner } from './runner.ts';

export interface FuzzRun {
  seed: number;
  stopping: AbortSignal;
  found: (failure: string | null) => void;
}

const AT_ONCE = 8;
const REQUESTS_PER_JOB = 25;

/** Send requests and uploads concurrently, rotating among the operations. */
export async function sendAllRequests(
  runner: FuzzRunner,
  { seed, stopping, found }: FuzzRun,
  wanted: { requests: number; uploads: number; part: string },
): Promise<void> {
  const from = { requests: runner.tally.requests, uploads: runner.tally.uploads };
  const left = () => ({
    requests: from.requests + wanted.requests - runner.tally.requests,
    uploads: from.uploads + wanted.uploads - runner.tally.uploads,
  });
  const jobs = createJobs(runner, seed, wanted.part);
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
      // Spread uploads evenly, so that both finish together.
      const isUpload =
        uploads > 0 && (requests <= 0 || uploads / wanted.uploads > requests / wanted.requests);
      const job = isUpload ? jobs.uploads() : jobs.requests();
      found(
        await runner.run({
          ...job,
          runs: Math.min(REQUESTS_PER_JOB, Math.ceil(isUpload ? uploads : requests)),
        }),
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    clearInterval(progress);
  }
}

function createJobs(runner: FuzzRunner, seed: number, part: string) {
  const createSequentialJobs = (operations: Operation[], isUpload: boolean) => {
    let turn = 0;
    return (): Omit<FuzzJob, 'runs'> => {
      const operation = operations[turn % operations.length];
      if (!operation) throw new Error('The document declares no such operation');
      const round = Math.floor(turn / operations.length);
      turn += 1;
      return { operation, isUpload, seed: deriveSeed(seed, `${part} ${operation.id} ${isUpload}`, round) };
    };
  };
  return {
    requests: createSequentialJobs(runner.operations, false),
    uploads: createSequentialJobs(runner.formOperations, true),
  };
}
