import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternateSides, runWithLoadClient } from '../load/compare.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { createPgbenchScript, findPgbench, runPgbench } from '../scan/pgbench.ts';
import type { Measurement } from '../table.ts';
import type { CodesRow } from './row.ts';
import { createScanRequests } from './scan.ts';

const CONNECTIONS = 32;

/** Compare scans of the service with the statement of the bare handler in pgbench. */
export const pgbenchRow: CodesRow = {
  name: 'pgbench',
  world: 'CODES',
  async measure(options, { port, codes, applicationUrl }) {
    const line = { row: 'pgbench', measure: 'scans a second', unit: '/s', ratioGoal: { min: 0.8 } };
    const program = await findPgbench();
    if (!program) return [{ ...line, service: [], baseline: [], note: 'pgbench is not installed' }];
    const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
    return runWithCleanUp(
      () => rm(folder, { recursive: true, force: true }),
      () =>
        runWithLoadClient(async (run): Promise<Measurement[]> => {
          const { seconds } = options;
          const script = createPgbenchScript(codes);
          const task = { port, requests: createScanRequests(codes), expected: 201, connections: CONNECTIONS };
          await run({ ...task, seconds: Math.min(2, seconds) });
          let failed = 0;
          const results = await alternateSides(options, async (side) => {
            if (side === 'baseline')
              return runPgbench(program, applicationUrl, { script, folder, clients: CONNECTIONS, seconds });
            const result = await run({ ...task, seconds });
            failed += result.failed;
            return result.requestsPerSecond;
          });
          return [{ ...line, ...results, failed }];
        }),
    );
  },
};
