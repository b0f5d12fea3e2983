import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleaned } from '../broken-off.ts';
import { inTurns, withClient } from '../load/compare.ts';
import { findPgbench, pgbenchScript, runPgbench } from '../scan/pgbench.ts';
import type { Measured } from '../table.ts';
import type { CodesRow } from './row.ts';
import { scansOf } from './scan.ts';

const CONNECTIONS = 32;

/** Scans of the service against PostgreSQL alone, which runs the bare handler's statement for pgbench. */
export const pgbenchRow: CodesRow = {
  name: 'pgbench',
  world: 'CODES',
  async measure(turns, { port, codes, applicationUrl }) {
    const line = { row: 'pgbench', measure: 'scans a second', unit: '/s', goal: { least: 0.8 } };
    const program = await findPgbench();
    if (!program) return [{ ...line, service: [], baseline: [], note: 'pgbench is not installed' }];
    const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
    return cleaned(
      () => rm(folder, { recursive: true, force: true }),
      () =>
        withClient(async (run): Promise<Measured[]> => {
          const { seconds } = turns;
          const script = pgbenchScript(codes);
          const task = { port, requests: scansOf(codes), expected: 201, connections: CONNECTIONS };
          await run({ ...task, seconds: Math.min(2, seconds) });
          let failed = 0;
          const seen = await inTurns(turns, async (side) => {
            if (side === 'baseline')
              return runPgbench(program, applicationUrl, { script, folder, clients: CONNECTIONS, seconds });
            const answered = await run({ ...task, seconds });
            failed += answered.failed;
            return answered.rate;
          });
          return [{ ...line, ...seen, failed }];
        }),
    );
  },
};
