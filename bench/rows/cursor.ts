import { compareLoads, toMeasurements } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import type { DataWorld } from '../worlds/data-world.ts';
import type { OneMillionScansRow } from './row.ts';

const PAGE_NUMBER = 1_000;

const PAGE_SIZE = 10;
const WALK_PAGE_SIZE = 100;

/** Compare page 1,000 of the scans by cursor with page 1. */
export const cursorRow: OneMillionScansRow = {
  name: 'cursor',
  world: 'MILLION',
  async measure(options, world) {
    const token = await world.createToken(world.data.organization.id);
    const load = { port: world.port, expected: 200, connections: 1 };
    const page = (cursor: string): LoadRequest[] => [
      { method: 'GET', path: `/api/scans?limit=${PAGE_SIZE}&cursor=${cursor}`, token },
    ];
    const results = await compareLoads(options, {
      service: { ...load, requests: page(await findCursorOfPage(world, token)) },
      baseline: { ...load, requests: page('start') },
    });
    return toMeasurements('cursor', results, { median: { max: 1.2 } });
  },
};

async function findCursorOfPage({ port, data }: DataWorld, token: string): Promise<string> {
  const before = Math.min((PAGE_NUMBER - 1) * PAGE_SIZE, Math.floor(data.size.scans / 2));
  let cursor = 'start';
  for (let remaining = before; remaining > 0; remaining -= WALK_PAGE_SIZE) {
    const url = `http://127.0.0.1:${port}/api/scans?limit=${Math.min(WALK_PAGE_SIZE, remaining)}&cursor=${cursor}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const { pagination } = (await response.json()) as { pagination: { nextCursor: string } };
    cursor = pagination.nextCursor;
  }
  return cursor;
}
