import pg from 'pg';
import { buildDashboardQuery } from '../../src/features/dashboard/dashboard.repository.ts';
import { getStartOfDay, getStartOfDayBefore } from '../../src/features/dashboard/day-start.rules.ts';
import { compareLoads, inTurns, measuresOf, type Turns } from '../load/compare.ts';
import { quantile } from '../numbers.ts';
import { withBareReads } from '../reads/with-bare-reads.ts';
import type { Measured } from '../table.ts';
import type { DataPlace } from '../worlds/data-world.ts';
import type { MillionRow } from './row.ts';

/** Statements of a round. */
const TIMES = 200;

/** The dashboard's cards of an account with 100,000 codes against one indexed row: the answers, and the SQL alone. */
export const cardsRow: MillionRow = {
  name: 'cards',
  world: 'MILLION',
  measure: (turns, place) =>
    withBareReads(place, async (barePort) => {
      const token = await place.tokenOf(place.data.organization.id);
      const load = { expected: 200, connections: 1 };
      const seen = await compareLoads(turns, {
        service: {
          ...load,
          port: place.port,
          requests: [{ method: 'GET', path: '/api/dashboard/cards', token }],
        },
        baseline: { ...load, port: barePort, requests: [{ method: 'GET', path: '/row', token }] },
      });
      return [...measuresOf('cards', seen, { median: { most: 5 } }), await statementsAlone(turns, place)];
    }),
};

async function statementsAlone(turns: Turns, place: DataPlace): Promise<Measured> {
  const ownerId = place.data.organization.id;
  const now = new Date();
  const zone = 'Europe/Berlin';
  const since = {
    today: getStartOfDay(now, zone),
    yesterday: getStartOfDayBefore(now, 1, zone),
    week: getStartOfDayBefore(now, 6, zone),
  };
  const statements = {
    service: buildDashboardQuery(ownerId, since),
    baseline: {
      name: 'row',
      text: 'SELECT id, title FROM qr_codes WHERE id = $1',
      values: [place.data.organization.codes[0] ?? ''],
    },
  };
  const client = new pg.Client({ connectionString: place.applicationUrl });
  await client.connect();
  try {
    const seen = await inTurns(turns, async (side) => {
      const times: number[] = [];
      for (let time = 0; time < TIMES; time += 1) {
        const begun = performance.now();
        await client.query(statements[side]);
        times.push(performance.now() - begun);
      }
      return quantile(times, 0.5);
    });
    return { row: 'cards', measure: 'median of the SQL alone', unit: 'ms', ...seen, goal: null };
  } finally {
    await client.end();
  }
}
