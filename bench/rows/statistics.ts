import { compareLoads, measuresOf } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import type { DataPlace } from '../worlds/data-world.ts';
import type { MillionsRow } from './row.ts';

const DAY = 86_400_000;

/** What is asked of a code's statistics. */
const PERIODS = {
  '30 days': '',
  'a year by week': `?interval=week&from=${dayAgo(364)}`,
  'three years by month': `?interval=month&from=${dayAgo(1_095)}`,
};

/** Which code of the large table is compared with the known one of the small table, and how its time may be. */
const CODES = [
  { whose: '10 k in 5 M', place: 0, most: 1.5 },
  { whose: '1 M in 5 M', place: 1, most: 3 },
] as const;

/** Statistics of codes in a table of 5,000,000 scans against one with the same scans in a table of its own. */
export const statisticsRow: MillionsRow = {
  name: 'statistics',
  world: 'FIVE_MILLION',
  async measure(turns, { large, small }) {
    const lines = [];
    for (const [period, query] of Object.entries(PERIODS)) {
      for (const { whose, place, most } of CODES) {
        const say = (text: string) => turns.say(`${whose}, ${period}: ${text}`);
        const seen = await compareLoads(
          { ...turns, say },
          { service: await loadOf(large, place, query), baseline: await loadOf(small, 0, query) },
        );
        lines.push(...measuresOf(`statistics, ${whose}, ${period}`, seen, { median: { most } }));
      }
    }
    return lines;
  },
};

async function loadOf({ port, data, tokenOf }: DataPlace, code: number, query: string) {
  const token = await tokenOf(data.organization.id);
  const path = `/api/qrcodes/${data.organization.codes[code]}/stats${query}`;
  const requests: LoadRequest[] = [{ method: 'GET', path, token }];
  return { port, requests, expected: 200, connections: 1 };
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
}
