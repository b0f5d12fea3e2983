import { createDashboardQuery } from '../../src/features/scans/dashboard/dashboard.repository.ts';
import { getStartOfDay, getStartOfEarlierDay } from '../../src/shared/day-start.ts';
import type { MillionScansBenchmark, RoundOptions } from '../benchmark.ts';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { compareLoads, toMeasurements } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import { compareCalls } from '../measure.ts';
import { withClient } from '../scratch-database.ts';
import type { Measurement } from '../table.ts';
import type { DataWorld } from '../worlds/data-world.ts';

/** Same pool size as the service. */
const POOL_SIZE = '10';
const CONNECTION_COUNT = 8;
const PAGE_SIZE = 10;
const WALK_PAGE_SIZE = 100;
const DEEP_PAGE = 1_000;
const STATEMENTS_PER_ROUND = 200;

const LISTS = [
  { rows: 'codes', path: '/api/qrcodes', barePath: '/codes' },
  { rows: 'scans', path: '/api/scans', barePath: '/scans' },
];

/** Lists compared by depth: codes by each sort that an index serves, and scans. */
const CURSOR_PATHS: Readonly<Record<string, string>> = {
  scans: '/api/scans?',
  'codes by creation': '/api/qrcodes?sort=-createdAt&',
  'codes by change': '/api/qrcodes?sort=-updatedAt&',
  'codes by title': '/api/qrcodes?sort=title&',
};

/** Compare first pages with the bare handler, for the organization and a user with few rows, and deep pages with first ones. */
export const listsBenchmark: MillionScansBenchmark = {
  world: 'MILLION_SCANS',
  async measure(options, world) {
    const { organization, users } = world.data;
    const tokens = {
      many: await world.createToken(organization.id),
      few: await world.createToken(users[0]?.id ?? ''),
    };
    return [
      ...(await runWithBareLists(world, (barePort) => comparePages(options, world.port, barePort, tokens))),
      ...(await compareDepths(options, world, tokens.many)),
    ];
  },
};

/** Compare the dashboard cards of an account with 100,000 codes with a read of one indexed row. */
export const cardsBenchmark: MillionScansBenchmark = {
  world: 'MILLION_SCANS',
  measure: (options, world) =>
    runWithBareLists(world, async (barePort) => {
      const token = await world.createToken(world.data.organization.id);
      const load = { expected: 200, connections: 1 };
      const cards: LoadRequest = { method: 'GET', path: '/api/dashboard/cards', token };
      const results = await compareLoads(options, {
        service: { ...load, port: world.port, requests: [cards] },
        baseline: { ...load, port: barePort, requests: [{ method: 'GET', path: '/row', token }] },
      });
      return [
        ...toMeasurements('cards', results, { median: { max: 5 } }),
        await compareCardStatements(options, world),
      ];
    }),
};

function runWithBareLists<Result>(
  { applicationUrl, jwtSecret }: DataWorld,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const args = [applicationUrl, POOL_SIZE, jwtSecret];
  return runWithChildProcess('baselines/bare-service.ts', args, async (baseline) =>
    work(await waitForMessage<number>(baseline)),
  );
}

async function comparePages(
  options: RoundOptions,
  port: number,
  barePort: number,
  tokens: Record<'many' | 'few', string>,
): Promise<Measurement[]> {
  const lines: Measurement[] = [];
  const load = { expected: 200, connections: CONNECTION_COUNT };
  for (const { rows, path, barePath } of LISTS)
    for (const [label, token] of Object.entries(tokens)) {
      const results = await compareLoads(options, {
        service: { ...load, port, requests: [{ method: 'GET', path, token }] },
        baseline: { ...load, port: barePort, requests: [{ method: 'GET', path: barePath, token }] },
      });
      lines.push(
        ...toMeasurements(`lists, ${rows} of ${label}`, results, { rate: { min: 0.8 }, median: null }),
      );
    }
  return lines;
}

async function compareDepths(options: RoundOptions, world: DataWorld, token: string): Promise<Measurement[]> {
  const lines: Measurement[] = [];
  const load = { port: world.port, expected: 200, connections: 1 };
  for (const [rows, path] of Object.entries(CURSOR_PATHS)) {
    const page = (cursor: string): LoadRequest[] => [
      { method: 'GET', path: `${path}limit=${PAGE_SIZE}&cursor=${cursor}`, token },
    ];
    const results = await compareLoads(options, {
      service: { ...load, requests: page(await findDeepCursor(world, path, token)) },
      baseline: { ...load, requests: page('start') },
    });
    lines.push(...toMeasurements(`lists, cursor of ${rows}`, results, { median: { max: 1.2 } }));
  }
  return lines;
}

async function findDeepCursor({ base, data }: DataWorld, path: string, token: string): Promise<string> {
  const rows = path.startsWith('/api/scans') ? data.size.scans : data.size.codes;
  let cursor = 'start';
  for (let left = Math.min(DEEP_PAGE * PAGE_SIZE, Math.floor(rows / 2)); left > 0; left -= WALK_PAGE_SIZE) {
    const url = `${base}${path}limit=${Math.min(WALK_PAGE_SIZE, left)}&cursor=${cursor}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const { pagination } = (await response.json()) as { pagination: { nextCursor: string } };
    cursor = pagination.nextCursor;
  }
  return cursor;
}

function compareCardStatements(
  options: RoundOptions,
  { applicationUrl, data }: DataWorld,
): Promise<Measurement> {
  const [now, zone] = [new Date(), 'Europe/Berlin'];
  const since = {
    today: getStartOfDay(now, zone),
    yesterday: getStartOfEarlierDay(now, 1, zone),
    week: getStartOfEarlierDay(now, 6, zone),
  };
  const cards = { name: 'cards', ...createDashboardQuery(data.organization.id, since) };
  const text = 'SELECT id, title FROM qr_codes WHERE id = $1';
  const row = { name: 'row', text, values: [data.organization.codes[0] ?? ''] };
  return withClient(applicationUrl, (client) =>
    compareCalls(options, 'cards, SQL alone', STATEMENTS_PER_ROUND, {
      service: () => client.query(cards),
      baseline: () => client.query(row),
    }),
  );
}
