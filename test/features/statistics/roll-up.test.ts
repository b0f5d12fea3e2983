import t from 'tap';
import { rollUp } from '../../../src/features/statistics/roll-up.ts';
import { rollupLag } from '../../../src/features/statistics/rollup.repository.ts';
import type { TestApp } from '../../helper.ts';
import { startScans } from '../scans/helper.ts';
import { scatter } from './helper.ts';

const HOUR = 60 * 60 * 1000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

/** What is rolled up and what the scans say, by subject, span and value: the same, once nothing waits. */
async function compare(test: Pick<TestApp, 'database'>) {
  const one = `jsonb_build_array(count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique))`;
  const over = `starts_at + CASE span WHEN 'DAY' THEN interval '1 day' ELSE interval '15 minutes' END <= now()`;
  const kept = `SELECT subject_id || span || starts_at || key AS place, value FROM scan_rollups
    CROSS JOIN LATERAL (SELECT '' AS key, jsonb_build_array(total, humans, uniques) AS value
      UNION ALL SELECT dimension || name, counts FROM jsonb_each(breakdown) AS a (dimension, names)
      CROSS JOIN LATERAL jsonb_each(names) AS b (name, counts)) AS entries`;
  const raw = `SELECT subject_id || span || starts_at || key AS place, ${one} AS value FROM scans
    CROSS JOIN LATERAL (VALUES (qr_code_id), (owner_id)) AS whom (subject_id)
    CROSS JOIN LATERAL (VALUES ('DAY', date_bin('1 day', scanned_at, '2000-01-01Z')),
      ('QUARTER', date_bin('15 minutes', scanned_at, '2000-01-01Z'))) AS spans (span, starts_at)
    CROSS JOIN LATERAL (VALUES (''), ('class' || class), ('country' || country), ('city' || city || ', ' || country),
      ('device' || device), ('os' || os), ('browser' || browser)) AS keys (key)
    WHERE key IS NOT NULL AND ${over} GROUP BY subject_id, span, starts_at, key`;
  const { rows } = await test.database.pool.query(
    `SELECT place, kept.value AS kept, raw.value AS raw FROM (${kept}) AS kept FULL JOIN (${raw}) AS raw USING (place)
     WHERE kept.value IS DISTINCT FROM raw.value`,
  );
  return rows;
}

t.test('Roll-ups equal the scans, for codes and owners, quarters of an hour and days', async (t) => {
  const test = await startScans(t);
  const codes = [await test.code(), await test.code()];
  t.equal(await rollUp(test.database), 0);
  await scatter(test, codes, 900, [ago(75), ago(0)]);
  t.ok((await rollupLag(test.database.pool)).spans > 100);
  const told: number[] = [];
  t.ok((await rollUp(test.database, { progress: (counted) => told.push(counted) })) > 500);
  t.ok(told.length > 2, 'in several transactions');
  t.same(await compare(test), []);
  t.same(await rollupLag(test.database.pool), { spans: 0, since: null });
  t.equal(await rollUp(test.database), 0, 'nothing is counted twice');
  await scatter(test, codes, 200, [ago(60), ago(50)]);
  await rollUp(test.database);
  t.same(await compare(test), [], 'what came late is counted too');
});

t.test(
  'Scans that are stored while it counts, by two instances at once, are never lost nor doubled',
  async (t) => {
    const test = await startScans(t);
    const codes = [await test.code(), await test.code(), await test.code()];
    let storing = true;
    const counting = [0, 1].map(async () => {
      while (storing) await rollUp(test.database);
    });
    const writers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 25; round++) await scatter(test, codes, 12, [ago(26), ago(25.5)]);
    });
    await Promise.all(writers);
    storing = false;
    await Promise.all(counting);
    await rollUp(test.database);
    t.same(await compare(test), []);
    t.equal(await test.database.client.scan.count(), 1200);
  },
);

t.test('A count that is killed in the middle leaves nothing in between', async (t) => {
  const test = await startScans(t);
  const codes = [await test.code(), await test.code()];
  await scatter(test, codes, 600, [ago(60), ago(30)]);
  let kills = 0;
  for (;;) {
    let left = 4 + kills;
    const stop = test.database.pool.query.bind(test.database.pool);
    const done = await rollUp(test.database, {
      atOnce: 20,
      progress: () => {
        left -= 1;
        // The next transaction loses its connection under way.
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

t.test('A count goes on where it was ended', async (t) => {
  const test = await startScans(t);
  await scatter(test, [await test.code()], 200, [ago(40), ago(30)]);
  const ending = new AbortController();
  await rollUp(test.database, { progress: () => ending.abort(), signal: ending.signal, atOnce: 20 });
  t.ok((await rollupLag(test.database.pool)).spans > 0);
  await rollUp(test.database);
  t.same(await compare(test), []);
});
