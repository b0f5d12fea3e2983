import { setTimeout as wait } from 'node:timers/promises';
import type { OwnBenchmark } from '../benchmark.ts';
import { measureScansBeside } from '../load/beside.ts';
import { compareWithLimit } from '../measure.ts';
import { type OwnerWorld, runWithOwner } from '../worlds/owner-world.ts';
import { waitForImages } from '../worlds/wait-for-images.ts';

const LABELS = 5_000;
const MAX_SECONDS = 300;
const BULK_ITEMS = 1_000;
const POLL_MS = 250;

/** Compare public scans beside a print sheet, whose labels are all drawn and decoded, with scans alone. */
export const printSheetsBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithOwner({}, async (world) => {
      const labels = options.scale(LABELS);
      await createCodes(world, labels);
      await waitForImages(world);
      const once = { ...options, rounds: 1 };
      const { scans, seconds } = await measureScansBeside('print-sheets', once, world, () =>
        makePrintSheet(world, labels),
      );
      const named = { row: 'print-sheets', measure: `seconds of ${labels} labels`, unit: 's' };
      return [scans, compareWithLimit(named, seconds, MAX_SECONDS)];
    }),
};

async function createCodes({ post }: OwnerWorld, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => ({
    kind: 'LUGGAGE',
    title: `Suitcase ${index}`,
    externalId: `tag-${index}`,
    data: { name: `Suitcase ${index}` },
  }));
  for (let first = 0; first < count; first += BULK_ITEMS)
    await post('/api/qrcodes/bulk', { items: items.slice(first, first + BULK_ITEMS) });
}

async function makePrintSheet({ base, token, post }: OwnerWorld, labels: number): Promise<void> {
  const { id } = await post('/api/print-sheets', {
    filter: { kind: ['LUGGAGE'], sort: 'title' },
    template: 'avery-l7160',
    texts: ['TITLE', 'EXTERNAL_ID', 'FOUND'],
  });
  const headers = { Authorization: `Bearer ${token}` };
  for (; ; await wait(POLL_MS)) {
    const view = (await (await fetch(`${base}/api/print-sheets/${id}`, { headers })).json()) as Record<
      string,
      unknown
    >;
    if (view.status === 'WAITING') continue;
    if (view.status === 'READY' && view.labels === labels && view.decoded === labels) return;
    throw new Error(JSON.stringify(view));
  }
}
