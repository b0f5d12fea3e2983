// Compares public scans of the service with a bare handler that does one statement a request, both on the same embedded
// server and codes, in turns: `npm run bench:scan`. Prints the ratios with their medians and spread, and ends with 1
// where a goal is missed. `npm run bench:scan -- <rounds> <seconds of a round>` asks for more or fewer.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { quantile } from './numbers.ts';
import type { Seen, Task } from './scan/load.ts';
import { makeScannedCodes } from './scan/scanned-codes.ts';
import { withService } from './service-process.ts';
import { numbersOf } from './usage.ts';

const [rounds = 6, seconds = 4] = numbersOf(import.meta.url, 6, 4);
const POOL = '10';

interface Row {
  name: string;
  connections: number;
  codes: 'ALL' | 'ONE';
  /** Service to baseline: of scans a second, and of milliseconds. */
  goals: { rate?: number; p99?: number; median?: number };
}

const ROWS: readonly Row[] = [
  {
    name: 'public scan, 32 connections, 1,000 codes',
    connections: 32,
    codes: 'ALL',
    goals: { rate: 1.5, p99: 1 },
  },
  { name: 'the same, all on one code', connections: 32, codes: 'ONE', goals: { rate: 1.5 } },
  { name: 'one connection alone', connections: 1, codes: 'ALL', goals: { median: 1.3 } },
];

process.exitCode = await withService(
  { DATABASE_POOL_SIZE: POOL },
  async ({ port, ownerUrl, applicationUrl }) => {
    const codes = await makeScannedCodes(`http://127.0.0.1:${port}`, ownerUrl, 1_000);
    const bare = fork('bench/scan/bare.ts', [applicationUrl, POOL], { execArgv: ['--import=tsx'] });
    const [barePort]: [number] = (await once(bare, 'message')) as [number];
    const client = fork('bench/scan/load.ts', [], { execArgv: ['--import=tsx'] });
    let isMissed = false;
    for (const row of ROWS) {
      const asked = row.codes === 'ALL' ? codes : codes.slice(0, 1);
      const task = { codes: asked, connections: row.connections, seconds };
      const sides = {
        service: { ...task, port, path: '/api/scans/public' },
        bare: { ...task, port: barePort, path: '/scan' },
      };
      for (const side of Object.values(sides)) await run(client, { ...side, seconds: 2 });
      const seen: { service: Seen[]; bare: Seen[] } = { service: [], bare: [] };
      for (let round = 0; round < rounds; round += 1) {
        const order = round % 2 === 0 ? (['service', 'bare'] as const) : (['bare', 'service'] as const);
        for (const name of order) seen[name].push(await run(client, sides[name]));
        process.stderr.write(`${row.name}: ${round + 1} of ${rounds} rounds\n`);
      }
      if (!shown(row, seen)) isMissed = true;
    }
    await compareCounts(ownerUrl);
    client.kill();
    bare.kill();
    return isMissed ? 1 : 0;
  },
  false,
);

async function run(client: ChildProcess, task: Task): Promise<Seen> {
  client.send(task);
  return (await once(client, 'message'))[0];
}

/** Prints a row; answers whether its goals are reached. */
function shown({ name, goals }: Row, { service, bare }: { service: Seen[]; bare: Seen[] }): boolean {
  const ratios = (of: (seen: Seen) => number) =>
    service.map((seen, index) => of(seen) / of(bare[index] ?? seen));
  const measures = {
    rate: ratios(({ rate }) => rate),
    p99: ratios(({ ms }) => quantile(ms, 0.99)),
    median: ratios(({ ms }) => quantile(ms, 0.5)),
  };
  const each = (seen: Seen[], of: (one: Seen) => number) => quantile(seen.map(of), 0.5);
  const failed = [...service, ...bare].reduce((sum, one) => sum + one.failed, 0);
  console.log(`\n${name}${failed > 0 ? `: ${failed} FAILED` : ''}`);
  console.log(
    `  scans a second     ${line(
      each(service, ({ rate }) => rate),
      each(bare, ({ rate }) => rate),
      measures.rate,
    )}`,
  );
  console.log(
    `  median in ms       ${line(
      each(service, ({ ms }) => quantile(ms, 0.5)),
      each(bare, ({ ms }) => quantile(ms, 0.5)),
      measures.median,
    )}`,
  );
  console.log(
    `  p99 in ms          ${line(
      each(service, ({ ms }) => quantile(ms, 0.99)),
      each(bare, ({ ms }) => quantile(ms, 0.99)),
      measures.p99,
    )}`,
  );
  const isReached =
    quantile(measures.rate, 0.5) >= (goals.rate ?? 0) &&
    quantile(measures.p99, 0.5) <= (goals.p99 ?? Number.POSITIVE_INFINITY) &&
    quantile(measures.median, 0.5) <= (goals.median ?? Number.POSITIVE_INFINITY);
  console.log(`  goals ${JSON.stringify(goals)}: ${isReached ? 'reached' : 'NOT reached'}`);
  return isReached && failed === 0;
}

function line(service: number, bare: number, ratios: readonly number[]): string {
  const [least, middle, most] = [0, 0.5, 1].map((share) => quantile(ratios, share).toFixed(2));
  return `${service.toFixed(1)} against ${bare.toFixed(1)}: ${middle} (${least} to ${most})`;
}

/** What was counted equals what was stored. */
async function compareCounts(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT (SELECT sum(total) FROM scan_counts)::int AS counted, (SELECT count(*) FROM scans)::int AS stored`,
  );
  await client.end();
  console.log(`\n${rows[0].stored} scans stored, ${rows[0].counted} counted on their codes`);
  if (rows[0].stored !== rows[0].counted) throw new Error('Counts and rows differ.');
}
