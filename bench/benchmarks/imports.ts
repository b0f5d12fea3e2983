import { setTimeout as wait } from 'node:timers/promises';
import type { OwnBenchmark } from '../benchmark.ts';
import { measureScansBeside } from '../load/beside.ts';
import { compareWithLimit } from '../measure.ts';
import { type OwnerWorld, runWithOwner } from '../worlds/owner-world.ts';
import { waitForImages } from '../worlds/wait-for-images.ts';

const ROWS = 10_000;
const MAX_IMPORT_SECONDS = 30;
const MAX_DRAWING_SECONDS = 300;
const POLL_MS = 250;

/** Compare public scans beside an import of CSV, and beside the drawing of its images, with scans alone. */
export const importsBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithOwner({}, async (world) => {
      const once = { ...options, rounds: 1 };
      const rows = options.scale(ROWS);
      const imported = await measureScansBeside('imports', once, world, () => importRows(world, rows));
      const drawn = await measureScansBeside('imports, images', once, world, () => waitForImages(world));
      const unit = 's';
      return [
        imported.scans,
        compareWithLimit(
          { row: 'imports', measure: `seconds of ${rows} rows`, unit },
          imported.seconds,
          MAX_IMPORT_SECONDS,
        ),
        drawn.scans,
        compareWithLimit(
          { row: 'imports, images', measure: 'seconds', unit },
          drawn.seconds,
          MAX_DRAWING_SECONDS,
        ),
      ];
    }),
};

async function importRows({ base, token }: OwnerWorld, rows: number): Promise<void> {
  const header = 'kind,title,externalId,data.name,data.message,data.owner.name,data.owner.phone';
  const lines = Array.from(
    { length: rows },
    (_, index) =>
      `LUGGAGE,Tag ${index},tag-${index},Suitcase ${index},Please write to me.,Ada,+49 30 ${100_000 + index}`,
  );
  const body = new FormData();
  body.set('format', 'csv');
  body.set('file', new Blob([[header, ...lines, ''].join('\n')]), 'codes.csv');
  const headers = { Authorization: `Bearer ${token}` };
  const requested = await fetch(`${base}/api/imports`, { method: 'POST', headers, body });
  if (requested.status !== 202) throw new Error(`${requested.status}: ${await requested.text()}`);
  const path = requested.headers.get('location');
  await requested.arrayBuffer();
  for (; ; await wait(POLL_MS)) {
    const view = (await (await fetch(`${base}${path}`, { headers })).json()) as Record<string, unknown>;
    if (view.finishedAt === null) continue;
    if (view.status === 'COMPLETED' && JSON.stringify(view.counts).includes(`"created":${rows},`)) return;
    throw new Error(JSON.stringify(view));
  }
}
