import { compareLoads, measuresOf } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import type { DataPlace } from '../worlds/data-world.ts';
import type { MillionRow } from './row.ts';

const PAGE = 1_000;

/** Rows of a page, and of the pages that are walked through to get there. */
const LIMIT = 10;
const WALKED = 100;

/** Page 1,000 of the scans by cursor against page 1, of the same service. */
export const cursorRow: MillionRow = {
  name: 'cursor',
  world: 'MILLION',
  async measure(turns, place) {
    const token = await place.tokenOf(place.data.organization.id);
    const load = { port: place.port, expected: 200, connections: 1 };
    const page = (cursor: string): LoadRequest[] => [
      { method: 'GET', path: `/api/scans?limit=${LIMIT}&cursor=${cursor}`, token },
    ];
    const seen = await compareLoads(turns, {
      service: { ...load, requests: page(await cursorOfPage(place, token)) },
      baseline: { ...load, requests: page('start') },
    });
    return measuresOf('cursor', seen, { median: { most: 1.2 } });
  },
};

async function cursorOfPage({ port, data }: DataPlace, token: string): Promise<string> {
  const before = Math.min((PAGE - 1) * LIMIT, Math.floor(data.size.scans / 2));
  let cursor = 'start';
  for (let left = before; left > 0; left -= WALKED) {
    const url = `http://127.0.0.1:${port}/api/scans?limit=${Math.min(WALKED, left)}&cursor=${cursor}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const { pagination } = (await answer.json()) as { pagination: { nextCursor: string } };
    cursor = pagination.nextCursor;
  }
  return cursor;
}
