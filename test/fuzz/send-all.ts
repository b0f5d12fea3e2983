import type { Operation } from './document.ts';
import { deriveSeed, type FuzzJob, type FuzzRunner } from './runner.ts';

export interface FuzzRun {
  seed: number;
  stopping: AbortSignal;
  onResult: (failure: string | null) => void;
}

const CONCURRENCY = 8;
const REQUESTS_PER_JOB = 25;

/** Send requests and uploads concurrently, rotating among the operations. */
export async function sendAllRequests(
  runner: FuzzRunner,
  { seed, stopping, onResult }: FuzzRun,
  counts: { requests: number; uploads: number; part: string },
): Promise<void> {
  const from = { requests: runner.tally.requests, uploads: runner.tally.uploads };
  const getRemaining = () => ({
    requests: from.requests + counts.requests - runner.tally.requests,
    uploads: from.uploads + counts.uploads - runner.tally.uploads,
  });
  const jobs = createJobs(runner, seed, counts.part);
  const progress = setInterval(() => {
    const { requests, uploads } = runner.tally;
    process.stderr.write(
      `${counts.part}: ${requests - from.requests} requests, ${uploads - from.uploads} uploads\n`,
    );
  }, 10_000);
  const work = async () => {
    while (!stopping.aborted) {
      const { requests, uploads } = getRemaining();
      if (requests <= 0 && uploads <= 0) return;
      // Spread uploads evenly, so that both finish together.
      const isUpload =
        uploads > 0 && (requests <= 0 || uploads / counts.uploads > requests / counts.requests);
      const job = isUpload ? jobs.uploads() : jobs.requests();
      onResult(
        await runner.run({
          ...job,
          runs: Math.min(REQUESTS_PER_JOB, Math.ceil(isUpload ? uploads : requests)),
        }),
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    clearInterval(progress);
  }
}

function createJobs(runner: FuzzRunner, seed: number, part: string) {
  const createSequentialJobs = (operations: Operation[], isUpload: boolean) => {
    let index = 0;
    return (): Omit<FuzzJob, 'runs'> => {
      const operation = operations[index % operations.length];
      if (!operation) throw new Error('The document declares no such operation');
      const round = Math.floor(index / operations.length);
      index += 1;
      return { operation, isUpload, seed: deriveSeed(seed, `${part} ${operation.id} ${isUpload}`, round) };
    };
  };
  return {
    requests: createSequentialJobs(runner.operations, false),
    uploads: createSequentialJobs(runner.formOperations, true),
  };
}
