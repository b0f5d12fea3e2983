import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { startTestApp, TEST_SECRETS } from '../helper.ts';
import { fc } from '../property.ts';
import { t } from '../tap.ts';
import { readDocument } from './document.ts';
import { deriveSeed, FuzzRunner } from './runner.ts';
import { seedWorld } from './seed-world.ts';
import { FuzzWorld } from './world.ts';

const SEED = fc.readConfigureGlobal().seed ?? 1;
/** Generated requests per operation; for forms the total over all operations. */
const REQUESTS = 22;
const UPLOADS = 60;
const RETRIES = 3;
const CONCURRENCY = 4;

// Many requests take longer than the default timeout of a test file.
t.setTimeout(600_000);

t.test('every generated request gets a response that the OpenAPI document declares', async (t) => {
  const { app, call, services, database } = await startTestApp(
    t,
    {},
    { payments: createFakeProvider('stripe').provider },
  );
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(app.listeningOrigin).port);
  const document = readDocument((await call('GET', '/api/docs/json')).body);
  const { rows } = await database.pool.query('SELECT current_database() AS name');
  const ownerUrl = new URL(process.env.TEST_OWNER_URL ?? '');
  ownerUrl.pathname = `/${rows[0].name}`;
  const world = await FuzzWorld.open({
    host: `127.0.0.1:${port}`,
    ownerUrl: ownerUrl.href,
    applicationUrl: services.config.databaseUrl ?? '',
    secrets: TEST_SECRETS,
  });
  const target = { host: '127.0.0.1', port, document, world };
  await seedWorld(world, document, target);
  const runner = await FuzzRunner.create(target);
  t.after(async () => {
    runner.close();
    await world.close();
  });

  // Forms first: the last of the other operations delete records.
  const jobs = [true, false].flatMap((isUpload) => {
    const operations = isUpload ? runner.formOperations : runner.operations;
    const runs = isUpload ? Math.ceil(UPLOADS / operations.length) : REQUESTS;
    return operations.map((operation) => ({ operation, isUpload, runs }));
  });
  const failures: string[] = [];
  const runAll = async (seed: number) => {
    const work = async () => {
      for (let job = jobs.shift(); job; job = jobs.shift()) {
        const failure = await runner.run({
          ...job,
          seed: deriveSeed(seed, job.operation.id, Number(job.isUpload)),
        });
        if (failure) failures.push(failure);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  };
  await runAll(SEED);
  // Whether an operation succeeds depends on what others have deleted before.
  for (let round = 1; round <= RETRIES; round += 1) {
    const retried = runner.operations.filter(({ id }) => !runner.tally.succeeded.has(id));
    jobs.push(...retried.map((operation) => ({ operation, isUpload: false, runs: REQUESTS })));
    await runAll(SEED + round);
  }

  for (const failure of failures) t.fail(failure);
  const { tally } = runner;
  t.comment(
    `${tally.requests} requests, ${tally.uploads} uploads; ${JSON.stringify([...tally.statuses].toSorted())}`,
  );
  t.ok(runner.formOperations.length >= 3, 'forms are declared where they are accepted');
  // Pages of codes of one kind are rarely reached.
  const documentedIds = runner.operations.filter(({ id }) => !id.startsWith('pages.')).map(({ id }) => id);
  const withoutSuccess = documentedIds.filter((id) => !tally.succeeded.has(id));
  t.ok(
    withoutSuccess.length < documentedIds.length / 4,
    `${withoutSuccess.length} of ${documentedIds.length} operations never succeeded: ${withoutSuccess}`,
  );

  t.same(Object.getOwnPropertyNames(Object.prototype), prototype, 'Object.prototype is unchanged');
  t.same(await world.records.findLostText(), [], 'no row holds text with replacement characters');
  t.equal((await call('GET', '/api/health/ready')).status, 200, 'the service still answers');
  // An aborted request may still be in progress.
  const listUnreferencedFiles = async () => {
    const files = await Promise.all([
      readdir(join(services.config.uploadsDir, 'profile-pictures')),
      readdir(join(services.config.uploadsDir, 'qrcodes')),
    ]);
    const referenced = await world.records.listReferencedFiles();
    return files.flat().filter((file) => !referenced.has(file));
  };
  for (let attempt = 0; attempt < 50 && (await listUnreferencedFiles()).length > 0; attempt += 1)
    await sleep(100);
  t.same(await listUnreferencedFiles(), [], 'every file is named by a row');
});
