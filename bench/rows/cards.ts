import pg from 'pg';
import { createDashboardQuery } from '../../src/features/scans/dashboard/dashboard.repository.ts';
import { getStartOfDay, getStartOfEarlierDay } from '../../src/shared/day-start.ts';
import { alternateSides, compareLoads, type RoundOptions, toMeasurements } from '../load/compare.ts';
import { getQuantile } from '../numbers.ts';
import { runWithBareReads } from '../reads/with-bare-reads.ts';
import type { Measurement } from '../table.ts';
import type { DataWorld } from '../worlds/data-world.ts';
import type { OneMillionScansRow } from './row.ts';

const STATEMENTS_PER_ROUND = 200;

/** Compare the dashboard cards of an account with 100,000 codes with a read of one indexed row. */
export const cardsRow: OneMillionScansRow = {
  name: 'cards',
  world: 'MILLION',
  measure: (options, world) =>
    runWithBareReads(world, async (barePort) => {
      const token = await world.createToken(world.data.organization.id);
      const load = { expected: 200, connections: 1 };
      const results = await compareLoads(options, {
        service: {
          ...load,
          port: world.port,
          requests: [{ method: 'GET', path: '/api/dashboard/cards', token }],
        },
        baseline: { ...load, port: barePort, requests: [{ method: 'GET', path: '/row', token }] },
      });
      return [
        ...toMeasurements('cards', results, { median: { max: 5 } }),
        await measureStatements(options, world),
      ];
    }),
};

async function measureStatements(options: RoundOptions, world: DataWorld): Promise<Measurement> {
  const ownerId = world.data.organization.id;
  const now = new Date();
  const zone = 'Europe/Berlin';
  const since = {
    today: getStartOfDay(now, zone),
    yesterday: getStartOfEarlierDay(now, 1, zone),
    week: getStartOfEarlierDay(now, 6, zone),
  };
  const statements = {
    service: createDashboardQuery(ownerId, since),
    baseline: {
      name: 'row',
      text: 'SELECT id, title FROM qr_codes WHERE id = $1',
      values: [world.data.organization.codes[0] ?? ''],
    },
  };
  const client = new pg.Client({ connectionString: world.applicationUrl });
  await client.connect();
  try {
    const results = await alternateSides(options, async (side) => {
      const times: number[] = [];
      for (let time = 0; time < STATEMENTS_PER_ROUND; time += 1) {
        const startedAt = performance.now();
        await client.query(statements[side]);
        times.push(performance.now() - startedAt);
      }
      return getQuantile(times, 0.5);
    });
    return { row: 'cards', measure: 'median of the SQL alone', unit: 'ms', ...results, ratioGoal: null };
  } finally {
    await client.end();
  }
}
