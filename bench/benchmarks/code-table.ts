import type { MillionScansBenchmark } from '../benchmark.ts';
import { compareWithLimit, getQuantile, measureMs } from '../measure.ts';
import type { Measurement } from '../table.ts';
import { signInToPages } from '../worlds/sign-in.ts';

const RUNS_PER_ROUND = 5;
const MAX_FIRST_PAGE_MS = 150;
const MAX_FILTERED_PAGE_MS = 300;

/** Each has the counts of its filters. */
const PAGES = [
  { name: 'first page', query: '', limit: MAX_FIRST_PAGE_MS },
  { name: 'sorted by title', query: '?sort=title', limit: MAX_FIRST_PAGE_MS },
  { name: 'of a kind', query: '?kind=LUGGAGE', limit: MAX_FILTERED_PAGE_MS },
  { name: 'of a status', query: '?status=PAUSED', limit: MAX_FILTERED_PAGE_MS },
  { name: 'searched', query: '?search=blue', limit: MAX_FILTERED_PAGE_MS },
  { name: 'by own data', query: '?kind=LUGGAGE&metadata=room:1', limit: MAX_FILTERED_PAGE_MS },
];

/** Compare the table of codes of an account with 100,000 of them, in the pages for owners, with a limit. */
export const codeTableBenchmark: MillionScansBenchmark = {
  world: 'MILLION_SCANS',
  async measure({ rounds, onProgress }, world) {
    const accountId = world.data.organization.id;
    const headers = { Cookie: await signInToPages(world, accountId) };
    const lines: Measurement[] = [];
    for (const { name, query, limit } of PAGES) {
      const open = async () => {
        const page = await fetch(`${world.base}/app/${accountId}/codes${query}`, {
          headers,
          redirect: 'manual',
        });
        await page.arrayBuffer();
        if (page.status !== 200) throw new Error(`The table was answered with ${page.status}.`);
      };
      await open();
      const medians: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const times: number[] = [];
        for (let run = 0; run < RUNS_PER_ROUND; run += 1) times.push(await measureMs(open));
        medians.push(getQuantile(times, 0.5));
        onProgress(`${name}: ${round + 1} of ${rounds} rounds`);
      }
      lines.push(
        compareWithLimit({ row: `code-table, ${name}`, measure: 'median', unit: 'ms' }, medians, limit),
      );
    }
    return lines;
  },
};
