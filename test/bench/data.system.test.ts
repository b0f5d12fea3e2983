import { getDataSize } from '../../bench/data/data-size.ts';
import { generateData, rollUpData } from '../../bench/data/generate-data.ts';
import { createSeededRandom, interleave } from '../../bench/data/seeded-random.ts';
import { startTestApp, type TestApp } from '../helper.ts';
import { t } from '../tap.ts';

const PASSWORD = 'a lighthouse for lost dogs';
const NEVER = new AbortController().signal;

async function make(test: TestApp, scans: number, signal = NEVER) {
  const progress: string[] = [];
  const onProgress = (name: string, done: number, total: number) => progress.push(`${name} ${done}/${total}`);
  const account = { email: 'bench@example.org', password: PASSWORD };
  const data = await generateData(test.services, { scans, ...account, onProgress, signal });
  return { data, progressUpdates: progress, progress: onProgress };
}

t.test('interleaving keeps the exact counts and spreads them evenly', async (t) => {
  const counts = { many: 900, some: 99, one: 1 };
  const order = [...interleave(counts)];
  for (const [name, number] of Object.entries(counts)) {
    t.equal(order.filter((party) => party === name).length, number);
    const half = order.slice(0, 500).filter((party) => party === name).length;
    t.ok(Math.abs(half - number / 2) <= 1, `${name}: ${half}`);
  }
  const [one, other] = [createSeededRandom(7), createSeededRandom(7)];
  t.same([one(), one(), one()], [other(), other(), other()], 'the same seed gives the same numbers');
});

t.test(
  'one code has 10,000 scans at any data size; at five million another code has one million',
  async (t) => {
    t.match(getDataSize(10_000), { knownCodeScans: 10_000, busyCodeScans: 0, others: 500, codes: 1_000 });
    t.match(getDataSize(1_000_000), {
      knownCodeScans: 10_000,
      busyCodeScans: 200_000,
      others: 50_000,
      codes: 100_000,
      users: 10_000,
    });
    t.match(getDataSize(5_000_000), {
      knownCodeScans: 10_000,
      busyCodeScans: 1_000_000,
      others: 250_000,
      codes: 100_000,
    });
  },
);

t.test('counters and roll-ups of generated scans match counts in SQL', async (t) => {
  const test = await startTestApp(t);
  const { pool } = test.database;
  const { data, progressUpdates: progress, progress: onProgress } = await make(test, 3_000);
  t.ok(progress.includes('scans 3150/3150') && progress.includes('codes 3000/3000'), progress.join());
  const { rows: counters } = await pool.query(
    `SELECT count(*)::int AS codes, sum(total)::int AS stored,
       count(*) FILTER (WHERE (coalesce(total, 0), coalesce(humans, 0), coalesce(uniques, 0), last_scanned_at) IS DISTINCT FROM (
         SELECT (count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique), max(scanned_at))
         FROM scans WHERE qr_code_id = code.id))::int AS wrong
     FROM qr_codes AS code LEFT JOIN scan_counts AS counts ON counts.qr_code_id = code.id`,
  );
  t.same(counters, [{ codes: 3000, stored: 3150, wrong: 0 }]);
  const { rows: counts } = await pool.query(
    `SELECT (SELECT active FROM qr_code_counts WHERE owner_id = $1) AS counted,
            (SELECT count(*)::int FROM qr_codes WHERE owner_id = $1) AS codes`,
    [data.organization.id],
  );
  t.same(counts, [{ counted: 300, codes: 300 }]);
  const { rows: unique } = await pool.query(
    `SELECT count(*) FILTER (WHERE is_unique)::int AS kept,
            count(DISTINCT (qr_code_id, (scanned_at AT TIME ZONE 'UTC')::date, visitor_hash)) FILTER (WHERE class = 'HUMAN')::int AS people,
            count(*) FILTER (WHERE left(id, 8) <> lpad(to_hex(floor(extract(epoch FROM scanned_at))::int), 8, '0'))::int AS misplaced
     FROM scans`,
  );
  t.same(unique[0].kept, unique[0].people);
  t.match(unique, [{ misplaced: 0 }]);

  const { buckets } = await rollUpData(test.services, { onProgress, signal: NEVER });
  t.ok(buckets > 3_000);
  const { rows: rollUps } = await pool.query(
    `SELECT (SELECT json_agg(bucket ORDER BY bucket_size) FROM (
       SELECT bucket_size, sum(total) AS total, sum(humans) AS humans, sum(uniques) AS uniques FROM scan_rollups
       WHERE subject_id = $1 AND starts_at < date_trunc('day', now(), 'UTC') GROUP BY bucket_size) AS bucket) AS kept,
     (SELECT json_build_array(count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique))
      FROM scans WHERE owner_id = $1 AND scanned_at < date_trunc('day', now(), 'UTC')) AS scans`,
    [data.organization.id],
  );
  const [total, humans, uniques] = rollUps[0].scans;
  t.match(rollUps[0].kept, [
    { bucket_size: 'DAY', total, humans, uniques },
    { bucket_size: 'QUARTER_HOUR', total, humans, uniques },
  ]);
});

t.test('the generated account can log in and read statistics, content and positions', async (t) => {
  const test = await startTestApp(t, { BILLING: 'off' });
  const { data } = await make(test, 500);
  const login = await test.call('POST', '/api/auth/login', {
    body: { email: data.email, password: PASSWORD },
  });
  const token = login.body.accessToken;
  const [known] = data.organization.codes;
  const query = '?interval=month&from=2015-01-01&to=2025-01-01';
  t.equal((await test.call('GET', `/api/qrcodes/${known}/stats${query}`, { token })).status, 200);
  for (const code of data.organization.codes.slice(0, 20))
    t.equal((await test.call('GET', `/api/qrcodes/${code}`, { token })).status, 200);
  const exported = await test.call('GET', '/api/scans/export?format=csv', { token });
  const lines = exported.text.trim().split('\r\n');
  t.equal(lines.length, 501);
  t.match(lines[1], /,-?\d+\.\d+,-?\d+\.\d+,\d+,/, 'a decrypted position');
});

t.test('an aborted run leaves only complete batches', async (t) => {
  const test = await startTestApp(t);
  await t.rejects(make(test, 1_000, AbortSignal.abort()), { name: 'AbortError' });
  const { rows } = await test.database.pool.query(
    'SELECT (SELECT count(*)::int FROM scans) AS stored, (SELECT sum(total)::int FROM scan_counts) AS counted',
  );
  t.same(rows[0].stored, rows[0].counted ?? 0);
});
