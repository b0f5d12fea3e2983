import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startScans } from '../features/scans/helper.ts';
import { insertScatteredScans } from '../features/scans/statistics/helper.ts';
import { createPreparedDataFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { compareCounts, compareRollUps, compareScans } from './postgres-kill/compare.ts';
import { killUnderLoad } from './postgres-kill/kill-under-load.ts';
import { startService } from './service-process.ts';

const QUARTER = 15 * 60_000;

t.test(
  'PostgreSQL killed under load: no acknowledged scan is lost or duplicated, and all counts match',
  async (t) => {
    const dataDir = await createPreparedDataFolder(t);
    const port = await findFreePort();
    const service = startService(t, { dataDir, port });
    await service.ready();
    const address = async (file: string) => (await readFile(join(dataDir, file), 'utf8')).trim();
    const target = {
      ...{ port, folder: dataDir },
      ...{ ownerUrl: await address('database-url'), applicationUrl: await address('database-url-app') },
    };
    const result = await killUnderLoad(target, { kills: 3, log: (text) => t.comment(text) });
    t.same(result.errors, []);
    t.equal(result.kills.length, 3);
    t.ok(result.visitorResults.withoutKey.some(({ id }) => id !== null));
    t.ok(
      result.visitorResults.unavailableResponses > 0,
      'scans during an outage are answered as unavailable',
    );
    t.ok(result.visitorResults.repeats > 0, 'scans with an idempotency key are repeated');
    t.ok(result.rolledUp.completedRequests > 0);
    t.equal(await service.end('SIGTERM'), 0);
  },
);

t.test('the comparison finds lost scans, unrequested scans and wrong counts', async (t) => {
  const test = await startScans(t);
  const { pool } = test.database;
  const code = await test.code();
  // All in one quarter hour, the last complete one.
  const now = new Date(Math.floor(Date.now() / QUARTER) * QUARTER - 1_000);
  await insertScatteredScans(test, [code], 100, [new Date(now.getTime() - 60_000), now]);
  const until = new Date(now.getTime() + 48 * 60 * 60_000);
  await rollUpScanCounts(test.database, { until });
  t.same(await compareRollUps(pool, until), []);
  await pool.query('UPDATE scan_rollups SET total = total + 1 WHERE subject_id = $1', [code]);
  t.equal((await compareRollUps(pool, until)).length, 2, 'a quarter-hour bucket and its day');

  const countedWrong = async () => (await compareCounts(pool)).map((line) => line.split(':')[0]);
  const before = await countedWrong();
  await pool.query('UPDATE scan_counts SET total = total + 1 WHERE qr_code_id = $1', [code]);
  await pool.query('UPDATE owner_scan_counts SET total = total + 1');
  await pool.query('DELETE FROM scan_visitors WHERE qr_code_id = $1', [code]);
  const after = await countedWrong();
  for (const name of ['counters of codes', 'scans of an owner', 'visitors']) {
    t.notOk(before.includes(name));
    t.ok(after.includes(name), name);
  }

  const scanned = { number: 1, isNamed: true, id: 'f'.repeat(24) };
  const results = {
    withoutKey: [scanned],
    withIdempotencyKey: [],
    medical: [],
    repeats: 0,
    unavailableResponses: 0,
    errors: [],
  };
  const lines = (await compareScans(pool, results)).join();
  t.match(lines, /is lost/);
  t.match(lines, /100 scans that nobody asked for/);
});
