import { join } from 'node:path';
import { createSealer } from '../../../src/features/audit/sealer.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { openCheckpointFile } from '../../../src/providers/checkpoints/checkpoint-file.ts';
import { startApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { addEntries, log, until, verified } from './helper.ts';

const isSealed = async ({ database }: TestApp) => (await database.client.auditUnsealed.count()) === 0;

t.test('Two instances seal in turn as entries come, and the end of each seals the rest', async (t) => {
  const app = await startApp(t);
  const database = openDatabase({
    url: app.services.config.databaseUrl ?? '',
    poolSize: 3,
    onError: () => {},
  });
  t.teardown(() => database.close());
  const checkpointFile = openCheckpointFile(join(app.dataDir, 'other.jsonl'));
  const sealers = [app.services.sealer, createSealer({ ...app.services.audit, database, checkpointFile })];
  for (const sealer of sealers) sealer.start();
  await Promise.all([addEntries(app, 40), addEntries(app, 40)]);
  await until(() => isSealed(app));
  await sealers[0]?.stop();
  await addEntries(app, 5);
  await until(() => isSealed(app));
  await addEntries(app, 5);
  await sealers[1]?.stop();
  t.ok(await isSealed(app), 'nothing is left by the last one');
  const moreLines = await checkpointFile.lines();
  t.match(JSON.parse(moreLines.at(-1) ?? ''), { type: 'checkpoint', sequence: 90, entries: 90 });
  const result = await verified(app);
  t.match(result, { whole: true, sequence: 90 });
  t.ok(result.checkpoints > 0, 'the other one wrote its own');
});

t.test('A database that goes away is told once, and so is its return', async (t) => {
  const app = await startApp(t);
  const told = log();
  const database = openDatabase({
    url: app.services.config.databaseUrl ?? '',
    poolSize: 2,
    onError: () => {},
  });
  t.teardown(() => database.close());
  const query = database.pool.query;
  const sealer = createSealer({ ...app.services.audit, database, log: told });
  await addEntries(app, 3);
  let failed = 0;
  database.pool.query = (() => {
    failed += 1;
    return Promise.reject(Object.assign(new Error('away'), { code: '57P01' }));
  }) as unknown as typeof query;
  sealer.start();
  await until(() => failed >= 3);
  t.same(told.lines, ['audit: sealing failed, and is tried again']);
  t.same(told.failures, [{ error: { name: 'Error', code: '57P01' } }]);
  database.pool.query = query;
  await until(() => isSealed(app));
  await sealer.stop();
  t.same(told.lines, ['audit: sealing failed, and is tried again', 'audit: sealing works again']);
});
