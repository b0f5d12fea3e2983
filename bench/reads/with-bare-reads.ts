import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import type { DataWorld } from '../worlds/data-world.ts';

/** Same pool size as the service. */
const POOL_SIZE = '10';

export function runWithBareReads<Result>(
  { applicationUrl, jwtSecret }: DataWorld,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  return runWithChildProcess('reads/bare.ts', [applicationUrl, POOL_SIZE, jwtSecret], async (baseline) =>
    work(await waitForMessage<number>(baseline)),
  );
}
