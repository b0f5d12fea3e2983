// Measure public scans alone, beside an import of CSV, beside the drawing of its images, and alone again:
// `npm run bench:imports -- [rows]`. Exits with 1 if the import takes more than 30 s or fails rows, the images more than
// 5 min, or if the 99th percentile beside one of them is more than twice the higher one of scans alone.
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { DRAW_QR_CODE_IMAGES_QUEUE } from '../src/features/codes/draw-images.job.ts';
import { formatTimes, getQuantile } from './numbers.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createDeadline, runScans } from './scan/run-scans.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { runWithService } from './service-process.ts';

const [rows = 0] = readNumberArguments(import.meta.url, 10_000);

const BASELINE_MS = 20_000;
const MAX_IMPORT_SECONDS = 30;
const MAX_DRAWING_SECONDS = 300;
const MAX_SLOWDOWN = 2;
const POLL_MS = 100;

process.exitCode = await runWithService(
  { BILLING: 'off', LOG_LEVEL: 'error' },
  async (service) => {
    const base = `http://localhost:${service.port}`;
    const { token, post } = await createOwner(base, service.ownerUrl);
    const headers = { Authorization: `Bearer ${token}` };
    const data = { url: 'https://example.org/' };
    const { id = '' } = await post('/api/qrcodes', { kind: 'URL', title: 'Scanned', data });
    const p99s: number[] = [];
    const scan = async (name: string, isOver: () => boolean): Promise<number> => {
      const startedAt = performance.now();
      const times = await runScans(base, id, isOver);
      const seconds = (performance.now() - startedAt) / 1000;
      const load = loadavg()[0]?.toFixed(1);
      console.log(`${name}: ${seconds.toFixed(1)} s; scans: ${formatTimes(times)}; load average ${load}`);
      p99s.push(getQuantile(times, 0.99));
      return seconds;
    };
    const scanBeside = async (name: string, work: Promise<void>): Promise<number> => {
      let isOver = false;
      const [seconds] = await Promise.all([
        scan(name, () => isOver),
        work.finally(() => {
          isOver = true;
        }),
      ]);
      return seconds;
    };

    await runScans(base, id, createDeadline(3_000));
    await scan('alone', createDeadline(BASELINE_MS));
    const importSeconds = await scanBeside(`import of ${rows} rows`, importRows(base, headers));
    const drawingSeconds = await scanBeside('images', waitForImages(service.ownerUrl));
    await scan('alone again', createDeadline(BASELINE_MS));
    const [first = 0, beside = 0, besideImages = 0, last = 0] = p99s;
    const [ratio, ratioOfImages] = [beside, besideImages].map((p99) => p99 / Math.max(first, last));
    console.log(
      `p99 of scans: ${ratio?.toFixed(2)} times that of scans alone beside the import, ` +
        `${ratioOfImages?.toFixed(2)} times beside images (goal ${MAX_SLOWDOWN})`,
    );
    const isFast = importSeconds <= MAX_IMPORT_SECONDS && drawingSeconds <= MAX_DRAWING_SECONDS;
    return isFast && Math.max(ratio ?? 0, ratioOfImages ?? 0) <= MAX_SLOWDOWN ? 0 : 1;
  },
  false,
);

async function importRows(base: string, headers: Record<string, string>): Promise<void> {
  const lines = Array.from(
    { length: rows },
    (_, index) =>
      `LUGGAGE,Tag ${index},tag-${index},Suitcase ${index},Please write to me.,Ada,+49 30 ${100_000 + index}`,
  );
  const csv = [
    'kind,title,externalId,data.name,data.message,data.owner.name,data.owner.phone',
    ...lines,
    '',
  ].join('\n');
  const body = new FormData();
  body.set('format', 'csv');
  body.set('file', new Blob([csv]), 'codes.csv');
  const requested = await fetch(`${base}/api/imports`, { method: 'POST', headers, body });
  if (requested.status !== 202) throw new Error(`${requested.status}: ${await requested.text()}`);
  const path = requested.headers.get('location');
  await requested.arrayBuffer();
  for (;;) {
    const view = (await (await fetch(`${base}${path}`, { headers })).json()) as Record<string, unknown>;
    if (view.finishedAt === null) await wait(POLL_MS);
    else if (view.status === 'COMPLETED' && JSON.stringify(view.counts).includes(`"created":${rows},`))
      return;
    else throw new Error(JSON.stringify(view));
  }
}

/** Wait until no job has an image left to draw. */
async function waitForImages(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (;;) {
      const { rowCount } = await client.query(
        `SELECT FROM pgboss.job WHERE name = $1 AND state < 'completed' LIMIT 1`,
        [DRAW_QR_CODE_IMAGES_QUEUE.name],
      );
      if (rowCount === 0) return;
      await wait(POLL_MS);
    }
  } finally {
    await client.end();
  }
}
