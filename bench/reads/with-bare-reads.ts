import { nextMessage, withForked } from '../forked.ts';
import type { DataPlace } from '../worlds/data-world.ts';

/** As many as the service has. */
const POOL = '10';

/** Runs the bare handlers of reads/bare.ts on a service's database; the work gets their port. */
export function withBareReads<Result>(
  { applicationUrl, jwtSecret }: DataPlace,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  return withForked('reads/bare.ts', [applicationUrl, POOL, jwtSecret], async (bare) =>
    work(await nextMessage<number>(bare)),
  );
}
