import { DAY_MS } from '../../src/shared/durations.ts';
import type { FiveMillionScansBenchmark, MillionScansBenchmark } from '../benchmark.ts';
import { measureScansBeside } from '../load/beside.ts';
import { compareLoads, toMeasurements } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import { createScannedCode, type DataWorld } from '../worlds/data-world.ts';

const PERIOD_QUERIES = {
  '30 days': '',
  'a year by week': `?interval=week&from=${formatDayAgo(364)}`,
  'three years by month': `?interval=month&from=${formatDayAgo(1_095)}`,
};

const COMPARED_CODES = [
  { label: '10 k in 5 M', codeIndex: 0, max: 1.5 },
  { label: '1 M in 5 M', codeIndex: 1, max: 3 },
] as const;

/** Compare statistics of codes in a table of 5,000,000 scans with the same scans in a table of their own. */
export const statisticsBenchmark: FiveMillionScansBenchmark = {
  world: 'FIVE_MILLION_SCANS',
  async measure(options, { large, small }) {
    const lines = [];
    for (const [period, query] of Object.entries(PERIOD_QUERIES)) {
      for (const { label, codeIndex, max } of COMPARED_CODES) {
        const onProgress = (text: string) => options.onProgress(`${label}, ${period}: ${text}`);
        const results = await compareLoads(
          { ...options, onProgress },
          {
            service: await createStatisticsLoad(large, codeIndex, query),
            baseline: await createStatisticsLoad(small, 0, query),
          },
        );
        lines.push(...toMeasurements(`statistics, ${label}, ${period}`, results, { median: { max } }));
      }
    }
    return lines;
  },
};

async function createStatisticsLoad({ port, data, createToken }: DataWorld, code: number, query: string) {
  const token = await createToken(data.organization.id);
  const path = `/api/qrcodes/${data.organization.codes[code]}/stats${query}`;
  const requests: LoadRequest[] = [{ method: 'GET', path, token }];
  return { port, requests, expected: 200, connections: 1 };
}

function formatDayAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

const CONCURRENCY = 8;
const FORMATS = ['html', 'pdf'];

/** Compare public scans beside eight reports of a year at once with scans alone. */
export const reportsBenchmark: MillionScansBenchmark = {
  world: 'MILLION_SCANS',
  async measure(options, world) {
    const token = await world.createToken(world.data.organization.id);
    const headers = { Authorization: `Bearer ${token}` };
    const from = formatDayAgo(364);
    let failed = 0;
    const report = async (format: string) => {
      const response = await fetch(`${world.base}/api/scans/report?format=${format}&from=${from}`, {
        headers,
      });
      await response.arrayBuffer();
      if (response.status !== 200) failed += 1;
    };
    const code = await createScannedCode(world);
    const { scans, seconds } = await measureScansBeside('reports', options, code, () =>
      Promise.all(
        Array.from({ length: CONCURRENCY }, (_, index) => report(FORMATS[index % FORMATS.length] ?? '')),
      ),
    );
    const named = { row: 'reports', measure: `seconds of ${CONCURRENCY} reports`, unit: 's' };
    return [scans, { ...named, service: seconds, baseline: [], ratioGoal: null, failed }];
  },
};
