import { compareLoads, toMeasurements } from '../load/compare.ts';
import type { CodesRow } from './row.ts';
import { createScanRequests } from './scan.ts';

const CONNECTIONS = 32;

/** Compare the page that a phone shows, which records a scan, with a scan of the same codes through the API. */
export const pageRow: CodesRow = {
  name: 'page',
  world: 'CODES',
  async measure(options, { port, pages }) {
    const scans = createScanRequests(pages);
    const visits = scans.map(({ agent, body }) => ({
      method: 'GET' as const,
      path: `/s/${body.qrCodeId}`,
      agent,
    }));
    const results = await compareLoads(options, {
      service: { port, requests: visits, expected: 200, connections: CONNECTIONS },
      baseline: { port, requests: scans, expected: 201, connections: CONNECTIONS },
    });
    return toMeasurements('page', results, { rate: null, p99: { max: 1.3 } });
  },
};
