import { mergeRollups } from '../../../../src/features/scans/statistics/merge-rollups.job.ts';
import { rollUpScanCounts } from '../../../../src/features/scans/statistics/roll-up.ts';
import { getScanRollUpLag } from '../../../../src/features/scans/statistics/rollup.repository.ts';
import { HOUR_MS } from '../../../../src/shared/durations.ts';
import type { TestApp } from '../../../helper.ts';
import { compareCounts, compareRollUps } from '../../../process/postgres-kill/compare.ts';
import { createReportingClients } from '../../../reporting/helper.ts';
import { t } from '../../../tap.ts';
import { startScans } from '../helper.ts';
import { insertScatteredScans } from './helper.ts';

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

/** Compare roll-ups and owner sums with the scans. */
const compare = async ({ database: { pool } }: Pick<TestApp, 'database'>) => [
  ...(await compareRollUps(pool)),
  ...(await compareCounts(pool)).filter((line) => line.startsWith('scans of an owner')),
];

t.test('roll-ups equal the scans, for codes and owners, by quarter hour and by day', async (t) => {
  const test = await startScans(t);
  const codes = [await test.code(), await test.code()];
  t.equal(await rollUpScanCounts(test.database), 0);
  await insertScatteredScans(test, codes, 900, [ago(75), ago(0)]);
  t.ok((await getScanRollUpLag(test.database.pool)).buckets > 100);
  const progressCalls: number[] = [];
  t.ok((await rollUpScanCounts(test.database, { progress: (counted) => progressCalls.push(counted) })) > 500);
  t.ok(progressCalls.length > 2, 'in several transactions');
  t.same(await compare(test), []);
  t.same(await getScanRollUpLag(test.database.pool), { buckets: 0, since: null });
  t.equal(await rollUpScanCounts(test.database), 0, 'nothing is counted twice');
  await insertScatteredScans(test, codes, 200, [ago(60), ago(50)]);
  await rollUpScanCounts(test.database);
  t.same(await compare(test), [], 'what came late is counted too');
});

t.test('counts scans that are stored during roll-ups of two instances exactly once', async (t) => {
  const test = await startScans(t);
  const codes = [await test.code(), await test.code(), await test.code()];
  let storing = true;
  const counting = [0, 1].map(async () => {
    while (storing) await rollUpScanCounts(test.database);
  });
  const writers = Array.from({ length: 4 }, async () => {
    for (let round = 0; round < 25; round++)
      await insertScatteredScans(test, codes, 12, [ago(26), ago(25.5)]);
  });
  await Promise.all(writers);
  storing = false;
  await Promise.all(counting);
  await rollUpScanCounts(test.database);
  t.same(await compare(test), []);
  t.equal(await test.database.client.scan.count(), 1200);
});

t.test('counts scans that are stored while months are rolled up and merged exactly once', async (t) => {
  const test = await startScans(t);
  const codes = [await test.code(), await test.code(), await test.code()];
  const store = (month: number) =>
    insertScatteredScans(test, codes, 12, [ago(24 * (75 + 31 * month)), ago(24 * (74 + 31 * month))]);
  const readSum = async () => {
    const from = ago(24 * 150)
      .toISOString()
      .slice(0, 10);
    const { body } = await test.call('GET', `/api/scans/stats?from=${from}`, {
      token: test.owner.accessToken,
    });
    return body.total;
  };
  const options = { maxBuckets: 1_000, batchSize: 2 };
  let [stored, merged, isStoring] = [0, 0, true];
  const merging = (async () => {
    while (isStoring) merged += await mergeRollups(test.database, options);
  })();
  const counting = [0, 1].map(async () => {
    while (isStoring) await rollUpScanCounts(test.database);
  });
  while (stored < 30 || merged < 12) {
    await store(stored % 3);
    stored += 1;
    t.equal(await readSum(), stored * 12);
  }
  isStoring = false;
  await Promise.all([merging, ...counting]);
  await rollUpScanCounts(test.database);
  t.same(await compare(test), []);
  await mergeRollups(test.database, options);
  t.same(await compare(test), []);
  t.equal(await readSum(), stored * 12);
  t.equal((await test.database.pool.query('SELECT FROM scan_rollups')).rowCount, 0);
});

t.test('a killed roll-up leaves no partial counts', async (t) => {
  const test = await startScans(t);
  const codes = [await test.code(), await test.code()];
  await insertScatteredScans(test, codes, 600, [ago(60), ago(30)]);
  let kills = 0;
  for (;;) {
    let left = 4 + kills;
    const stop = test.database.pool.query.bind(test.database.pool);
    const done = await rollUpScanCounts(test.database, {
      batchSize: 20,
      progress: () => {
        left -= 1;
        // The next transaction loses its connection.
        if (left === 0)
          void stop(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND (state LIKE 'idle in transaction%' OR query LIKE '%scan_rollups%')`).catch(() => {});
      },
    }).then(
      () => true,
      () => false,
    );
    kills += 1;
    if (kills >= 10 && done) break;
  }
  t.same(await compare(test), []);
});

t.test('a roll-up resumes where it was stopped', async (t) => {
  const test = await startScans(t);
  await insertScatteredScans(test, [await test.code()], 200, [ago(40), ago(30)]);
  const ending = new AbortController();
  await rollUpScanCounts(test.database, {
    progress: () => ending.abort(),
    signal: ending.signal,
    batchSize: 20,
  });
  t.ok((await getScanRollUpLag(test.database.pool)).buckets > 0);
  await rollUpScanCounts(test.database);
  t.same(await compare(test), []);
});

t.test('administrators and the reporting role see the lag of the roll-ups', async (t) => {
  const test = await startScans(t);
  const { reader } = await createReportingClients(t, test);
  const admin = await test.createUser({ role: 'ADMIN' });
  const readLag = async () => {
    const { status, body, text } = await test.call('GET', '/api/admin/analytics', {
      token: admin.accessToken,
    });
    t.equal(status, 200, text);
    const { rows } = await reader.query(
      'SELECT dirty_buckets::int, oldest_starts_at FROM reporting.rollup_lag',
    );
    const { waiting, since } = body.rollUps;
    t.same(rows, [{ dirty_buckets: waiting, oldest_starts_at: since && new Date(since) }]);
    return body.rollUps;
  };
  t.same(await readLag(), { waiting: 0, since: null });
  const quarter = 15 * 60 * 1000;
  const oldest = new Date(Math.floor(ago(5).getTime() / quarter) * quarter);
  await insertScatteredScans(test, [await test.code()], 3, [oldest, new Date(oldest.getTime() + quarter)]);
  t.same(await readLag(), { waiting: 2, since: oldest.toISOString() }, 'of the code and of its owner');
  await rollUpScanCounts(test.database);
  t.same(await readLag(), { waiting: 0, since: null });
});
