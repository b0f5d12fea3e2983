import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import type { DataWorld } from '../worlds/data-world.ts';

/** As many as the service has. */
const POOL_SIZE = '10';

/** Runs the bare handlers of reads/bare.ts on a service's database; the work gets their port. */
export function runWithBareReads<Result>(
  { applicationUrl, jwtSecret }: DataWorld,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  return runWithChildProcess('reads/bare.ts', [applicationUrl, POOL_SIZE, jwtSecret], async (bare) =>
    work(await waitForMessage<number>(bare)),
  );
}
