// Compare busy tables with the same ones under default settings: the buckets that wait for a roll-up, and notifications.
// Both get the same rows, in alternating steps, and autovacuum runs every second. Then compare merged roll-ups with
// those before. Exits with 1 if a goal is missed.
//   npm run bench:storage                                            the embedded PostgreSQL
//   npm run bench:storage -- --postgres /usr/lib/postgresql/15/bin   the one whose programs are there
//   npm run bench:storage -- --rounds 1 --percent 5                  fewer and smaller rounds (default 3); the results
//                                                                    are not meaningful
import { parseArgs } from 'node:util';
import pg from 'pg';
import { isWholeNumber, readOptions } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';
import { measureDirtyBuckets } from './storage/dirty-buckets.ts';
import { measureMergedRollups } from './storage/merged-rollups.ts';
import { measureNotifications } from './storage/notifications.ts';
import { formatTable, type Measurement, summarizeMeasurement } from './table.ts';

const options = readOptions(import.meta.url, parseOptions);
const { rounds, share, binariesFolder } = options;

process.exitCode = await withScratchDatabase(
  async ({ ownerUrl }) => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    const results: Measurement[] = [];
    try {
      for (let round = 1; round <= rounds; round += 1) {
        addRound(results, await measureDirtyBuckets(client, share));
        addRound(results, await measureNotifications(client, share));
        addRound(results, await measureMergedRollups(client, ownerUrl, share));
        process.stderr.write(`round ${round} of ${rounds}\n`);
      }
      const { rows } = await client.query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      );
      const lines = results.map(summarizeMeasurement);
      console.log(`PostgreSQL ${rows[0]?.version}\n\n${formatTable(lines)}`);
      return lines.some(({ isGoalReached }) => isGoalReached === false) ? 1 : 0;
    } finally {
      await client.end();
    }
  },
  { binariesFolder, settings: { autovacuum_naptime: '1s' } },
);

function addRound(results: Measurement[], measured: readonly Measurement[]): void {
  for (const one of measured) {
    const known = results.find(({ row, measure }) => row === one.row && measure === one.measure);
    if (!known) results.push(one);
    known?.service.push(...one.service);
    known?.baseline.push(...one.baseline);
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      postgres: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      percent: { type: 'string', default: '100' },
    },
  });
  if (!isWholeNumber(values.rounds) || !isWholeNumber(values.percent)) return null;
  const [rounds, percent] = [Number(values.rounds), Number(values.percent)];
  if (rounds < 1 || percent < 1 || percent > 100) return null;
  return { rounds, share: percent / 100, binariesFolder: values.postgres };
}
