// Measure how long generating reports blocks the event loop of the real service, for the first report of a process and
// later ones, over a year with 20,000 scans: `npm run bench:report` (or `-- <scans>`). Exits with 1 above 50 ms.
import pg from 'pg';
import { rollUpScanCounts } from '../src/features/scans/statistics/roll-up.ts';
import { findFreePort } from '../src/start/find-free-port.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { runWithService } from './service-process.ts';

const [scans = 0] = readNumberArguments(import.meta.url, 20_000);

const MAX_LOOP_DELAY_MS = 50;
const CONCURRENCY = 8;

const delayPort = await findFreePort();
const probe = new URL('report/loop-delay.mjs', import.meta.url).href;

process.exitCode = await runWithService(
  { LOOP_DELAY_PORT: String(delayPort), NODE_OPTIONS: `--import=${probe}` },
  async ({ port, ownerUrl, applicationUrl }) => {
    const base = `http://127.0.0.1:${port}`;
    const { token, post } = await createOwner(base, ownerUrl);
    const body = { kind: 'URL', title: 'Rex', data: { url: 'https://example.org' } };
    const { id = '' } = await post('/api/qrcodes', body);
    await insertScans(ownerUrl, id);
    const pool = new pg.Pool({ connectionString: applicationUrl, max: 1 });
    await rollUpScanCounts({ pool });
    await pool.end();
    const get = async (path: string) => {
      const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      return response.status;
    };
    const year = `from=${new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)}`;
    // Warm up what statistics need; it is not measured here.
    for (let time = 0; time < 3; time += 1) await get(`/api/scans/stats?${year}`);

    let maxMs = 0;
    const measure = async (name: string, work: () => Promise<number[]>, counts = true) => {
      await readMaxLoopDelay();
      const startedAt = performance.now();
      const statuses = await work();
      const took = performance.now() - startedAt;
      const delay = await readMaxLoopDelay();
      if (counts) maxMs = Math.max(maxMs, delay);
      const unexpectedStatuses = statuses.filter((status) => status !== 200);
      console.log(
        `${name}: ${took.toFixed(0)} ms, event loop held up ${delay.toFixed(1)} ms at most${unexpectedStatuses.length > 0 ? `, answered ${unexpectedStatuses}` : ''}`,
      );
      if (unexpectedStatuses.length > 0) maxMs = Number.POSITIVE_INFINITY;
    };
    const report = async (format: string) => [await get(`/api/scans/report?format=${format}&${year}`)];
    await measure('nothing for a second', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return [];
    });
    await measure('statistics', async () => [await get(`/api/scans/stats?${year}`)], false);
    for (const time of ['first', 'second', 'third'])
      for (const format of ['html', 'pdf']) await measure(`${time} ${format}`, () => report(format));
    await measure(`${CONCURRENCY} at once`, async () =>
      (
        await Promise.all(
          Array.from({ length: CONCURRENCY }, (_, index) => report(index % 2 === 0 ? 'html' : 'pdf')),
        )
      ).flat(),
    );
    console.log(`at most ${maxMs.toFixed(1)} ms (goal ${MAX_LOOP_DELAY_MS})`);
    return maxMs <= MAX_LOOP_DELAY_MS ? 0 : 1;
  },
  false,
);

async function readMaxLoopDelay(): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${delayPort}`)).text());
}

async function insertScans(ownerUrl: string, qrCodeId: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(
      `WITH made AS (
         INSERT INTO scans (id, qr_code_id, owner_id, type, class, class_rule, is_unique, visitor_hash, city, country,
                            device, os, browser, ip_truncated, user_agent, scanned_at)
         SELECT lpad(to_hex(extract(epoch FROM at)::bigint), 8, '0') || substr(md5(n::text), 1, 16), code.id, code.owner_id,
                'public', CASE WHEN n % 5 = 0 THEN 'BOT' ELSE 'HUMAN' END, 'bench', n % 5 <> 0,
                decode(md5(n::text) || md5(n::text), 'hex'),
                (ARRAY['Berlin', 'Paris', 'Lisbon', 'Oslo', 'Kyoto', NULL])[1 + n % 6],
                (ARRAY['DE', 'FR', 'PT', 'NO', 'JP', NULL])[1 + n % 6],
                (ARRAY['phone', 'tablet', 'desktop'])[1 + n % 3], (ARRAY['Android', 'iOS'])[1 + n % 2], 'Chrome',
                '127.0.0.0', 'bench', at
         FROM qr_codes AS code, generate_series(1, $2::int) AS n,
              LATERAL (SELECT now() - n * interval '360 days' / $2::int AS at) AS moment
         WHERE code.id = $1 RETURNING qr_code_id, owner_id, scanned_at
       )
       INSERT INTO scan_dirty_buckets (bucket_size, starts_at, subject_id)
       SELECT DISTINCT bucket_size, starts_at, subject FROM made
       CROSS JOIN LATERAL (VALUES (qr_code_id), (owner_id)) AS of_whom (subject)
       CROSS JOIN LATERAL (VALUES ('DAY', date_bin('1 day', scanned_at, '2000-01-01Z')),
         ('QUARTER_HOUR', date_bin('15 minutes', scanned_at, '2000-01-01Z'))) AS buckets (bucket_size, starts_at)`,
      [qrCodeId, scans],
    );
  } finally {
    await client.end();
  }
}
