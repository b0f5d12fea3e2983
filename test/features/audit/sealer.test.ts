import { join } from 'node:path';
import { createAuditSealer } from '../../../src/features/audit/audit-sealer.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { openAuditCheckpointFile } from '../../../src/providers/checkpoints/checkpoint-file.ts';
import { DATABASE_TIMEOUTS, startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestLog, insertTestEntries, verifyAppTrail, waitUntil } from './helper.ts';

const isSealed = async ({ database }: TestApp) => (await database.client.auditUnsealed.count()) === 0;

t.test('two instances seal new entries together, and an instance that stops seals the rest', async (t) => {
  const app = await startTestApp(t);
  const database = openDatabase({
    url: app.services.config.databaseUrl ?? '',
    poolSize: 3,
    ...DATABASE_TIMEOUTS,
    onError: () => {},
  });
  t.teardown(() => database.close());
  const checkpointFile = openAuditCheckpointFile(join(app.dataDir, 'other.jsonl'));
  const sealers = [
    app.services.sealer,
    createAuditSealer({ ...app.services.audit, database, checkpointFile }),
  ];
  for (const sealer of sealers) sealer.start();
  await Promise.all([insertTestEntries(app, 40), insertTestEntries(app, 40)]);
  await waitUntil(() => isSealed(app));
  await sealers[0]?.stop();
  await insertTestEntries(app, 5);
  await waitUntil(() => isSealed(app));
  await insertTestEntries(app, 5);
  await sealers[1]?.stop();
  t.ok(await isSealed(app), 'the last instance leaves no unsealed entry');
  const moreLines = await checkpointFile.readLines();
  t.match(JSON.parse(moreLines.at(-1) ?? ''), { type: 'checkpoint', sequence: 90, entries: 90 });
  const result = await verifyAppTrail(app);
  t.match(result, { valid: true, sequence: 90 });
  t.ok(result.checkpoints > 0, 'the other instance writes its own checkpoints');
});

t.test('a database outage during sealing is logged once, and so is the recovery', async (t) => {
  const app = await startTestApp(t);
  const notified = createTestLog();
  const database = openDatabase({
    url: app.services.config.databaseUrl ?? '',
    poolSize: 2,
    ...DATABASE_TIMEOUTS,
    onError: () => {},
  });
  t.teardown(() => database.close());
  const query = database.pool.query;
  const sealer = createAuditSealer({ ...app.services.audit, database, log: notified });
  await insertTestEntries(app, 3);
  let failed = 0;
  database.pool.query = (() => {
    failed += 1;
    return Promise.reject(Object.assign(new Error('away'), { code: '57P01' }));
  }) as unknown as typeof query;
  sealer.start();
  await waitUntil(() => failed >= 3);
  t.same(notified.lines, ['audit: sealing failed and will be retried']);
  t.same(notified.failures, [{ error: { name: 'Error', code: '57P01' } }]);
  database.pool.query = query;
  await waitUntil(() => isSealed(app));
  await sealer.stop();
  t.same(notified.lines, ['audit: sealing failed and will be retried', 'audit: sealing recovered']);
});
