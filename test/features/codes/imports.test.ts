import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpImports } from '../../../src/features/codes/imports/clean-up-imports.use-case.ts';
import {
  createImportCodesJob,
  IMPORT_CODES_QUEUE,
} from '../../../src/features/codes/imports/import-codes.job.ts';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { encodeMultipartForm } from '../documents/upload.ts';
import { createTestCode, listAuditActions } from './code-helper.ts';
import { countCodes, createCsv, getImport, importFile, readErrors, waitForImport } from './import-helper.ts';

const NO_LIMITS = { BILLING: 'off' };

const get = (app: TestApp, user: TestUser, url: string) => app.call('GET', url, { token: user.accessToken });

const cancel = (app: TestApp, user: TestUser, id: string) =>
  app.call('POST', `/api/imports/${id}/cancel`, { token: user.accessToken });

/** Rows without an external id, in three batches. */
const THREE_BATCHES = createCsv('kind,title,data.text', 1_100, (index) => `TEXT,Note ${index},a`);

t.test(
  'of 1,000 rows with 100 wrong ones 900 are created, and none when the file is imported again',
  async (t) => {
    const app = await startTestApp(t, NO_LIMITS);
    const user = await app.createUser();
    const csv = createCsv(
      'kind,title,externalId,data.name',
      1_000,
      (index) => `PET,Tag,tag-${index},${index % 10 === 3 ? '' : 'Rex'}`,
    );
    const requested = await importFile(app, user, csv);
    t.match(requested, { status: 202, body: { format: 'csv', size: csv.length } });
    t.equal(requested.headers.location, `/api/imports/${requested.body.id}`);
    const done = await waitForImport(app, user, requested);
    t.match(done, {
      status: 'COMPLETED',
      bytesProcessed: csv.length,
      rowsProcessed: 1_000,
      counts: { created: 900, updated: 0, unchanged: 0, failed: 100 },
      error: null,
    });
    const errors = await readErrors(app, user, done);
    t.equal(errors.length, 100);
    t.same(errors[0], { row: 5, field: 'data.name', code: 'REQUIRED', message: 'Is required.' });
    const text = (await get(app, user, `/api/imports/${done.id}/errors?format=csv`)).text;
    t.same(text.split('\r\n').slice(0, 2), ['row,field,code,message', '5,data.name,REQUIRED,Is required.']);
    const { requestId } = await app.database.client.import.findFirstOrThrow();
    const entries = await listAuditActions(app);
    const created = entries.filter(({ action }) => action === 'QRCODE_CREATED');
    t.equal(created.length, 900);
    const ofRequest = new Set(
      entries.filter((entry) => entry.requestId === requestId).map(({ action }) => action),
    );
    t.same([...ofRequest], ['IMPORT_REQUESTED', 'QRCODE_CREATED', 'IMPORT_COMPLETED']);
    t.equal(await app.database.client.storedFile.count({ where: { state: 'STORED' } }), 1, 'rejected rows');

    const again = await waitForImport(app, user, await importFile(app, user, csv));
    t.match(again.counts, { created: 0, updated: 0, unchanged: 900, failed: 100 });
    t.equal(await countCodes(app, user.id), 900);
    const page = await get(app, user, '/api/imports?limit=1');
    t.match(page.body, { data: [{ id: again.id }], pagination: { hasMore: true } });
    const cursor = page.body.pagination.nextCursor;
    t.match((await get(app, user, `/api/imports?limit=1&cursor=${cursor}`)).body.data, [{ id: done.id }]);
  },
);

t.test('a worker that is killed in a batch repeats no row, and two at the same time neither', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  await app.services.jobs.stop();
  const { id } = (await importFile(app, user, THREE_BATCHES)).body;
  const job = { accountId: user.id, importId: id };
  let transactions = 0;
  const database = {
    ...app.database,
    transaction: <Result>(work: Parameters<typeof app.database.transaction<Result>>[0]) =>
      app.database.transaction(async (tx) => {
        const result = await work(tx);
        transactions += 1;
        if (transactions === 2) throw new Error('killed');
        return result;
      }),
  };
  await t.rejects(createImportCodesJob({ ...app.services, database })(job), { message: 'killed' });
  t.match(await getImport(app, user, id), { status: 'RUNNING', counts: { created: 500 } });
  t.equal(await countCodes(app, user.id), 500);

  await Promise.all([1, 2].map(() => createImportCodesJob(app.services)(job)));
  t.match(await getImport(app, user, id), { status: 'COMPLETED', counts: { created: 1_100, failed: 0 } });
  t.equal(await countCodes(app, user.id), 1_100);
});

t.test('a long import continues in a later job, and ends when it is canceled', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [user, other] = [await app.createUser(), await app.createUser()];
  await app.services.jobs.stop();
  const { id } = (await importFile(app, user, THREE_BATCHES)).body;
  await app.database.pool.query("DELETE FROM pgboss.job WHERE name = 'import-codes'");
  const work = createImportCodesJob(app.services, 0);
  await work({ accountId: user.id, importId: id });
  t.match(await getImport(app, user, id), { status: 'RUNNING', counts: { created: 500 } });
  t.same(await app.services.jobs.findPending(IMPORT_CODES_QUEUE, 'importId', [id]), new Set([id]));

  t.same((await get(app, other, '/api/imports')).body.data, []);
  t.match(await cancel(app, user, id), {
    status: 200,
    body: { status: 'CANCELED', counts: { created: 500 } },
  });
  await work({ accountId: user.id, importId: id });
  t.equal(await countCodes(app, user.id), 500);
  t.match(await cancel(app, user, id), { status: 409, body: { code: 'IMPORT_FINISHED' } });
  t.equal(await app.database.client.storedFile.count({ where: { state: 'STORED' } }), 0);
});

t.test('a repeated Idempotency-Key begins no other import, and three are the most at a time', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  await app.services.jobs.stop();
  const headers = { 'idempotency-key': 'import-4f2c9a1e7d3b' };
  const first = await importFile(app, user, THREE_BATCHES, { headers });
  const repeated = await importFile(app, user, THREE_BATCHES, { headers });
  t.equal(repeated.status, 202);
  t.same(repeated.body, first.body);
  t.equal(repeated.headers['idempotency-replayed'], 'true');
  t.equal(await app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } }), 1);
  t.equal((await importFile(app, user, 'kind,title\n', { headers })).body.code, 'IDEMPOTENCY_KEY_REUSED');
  const others = await Promise.all([1, 2, 3].map(() => importFile(app, user, THREE_BATCHES)));
  t.same(others.map(({ status }) => status).toSorted(), [202, 202, 409]);
  t.match(others.find(({ status }) => status === 409)?.body, { code: 'TOO_MANY_IMPORTS' });
});

t.test('rows beyond the quota of the package fail', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const csv = createCsv('kind,title,data.text', 53, (index) => `TEXT,Note ${index},a`);
  const done = await waitForImport(app, user, await importFile(app, user, csv));
  t.match(done, { status: 'COMPLETED', counts: { created: 50, failed: 3 } });
  t.match(await readErrors(app, user, done), [
    { row: 52, field: null, code: 'PLAN_LIMIT_REACHED' },
    { row: 53 },
    { row: 54 },
  ]);
});

t.test(
  'errors of an import are bounded, count to the storage, and end it if nothing else comes',
  async (t) => {
    const app = await startTestApp(t, NO_LIMITS);
    const user = await app.createUser();
    const unknown = JSON.stringify(
      Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}${'x'.repeat(89)}`, 1])),
    );
    const wrong = `{"kind":"PET","title":"Rex","data":${unknown}}\n`;
    const right = '{"kind":"PET","title":"Rex","data":{"name":"Rex"}}\n';
    const readUsage = async () => (await get(app, user, '/api/auth/me')).body.usage.storageBytes;

    const hopeless = await waitForImport(
      app,
      user,
      await importFile(app, user, wrong.repeat(3_000), { format: 'jsonl' }),
    );
    t.match(hopeless, { status: 'FAILED', error: { code: 'TOO_MANY_ERRORS', row: 1_001 } });
    t.match(hopeless.counts, { created: 0, failed: 1_000 });
    const stored = await readErrors(app, user, hopeless);
    t.equal(stored.length, 1_000);
    t.equal(Math.max(...stored.map(({ field }) => field?.length ?? 0)), 'data.'.length + 64);
    const used = await readUsage();
    t.ok(used > 1_000 && used < 200_000, `${used} bytes`);

    const mixed = await waitForImport(
      app,
      user,
      await importFile(app, user, right + wrong.repeat(3_000) + right, { format: 'jsonl' }),
    );
    t.match(mixed, { status: 'COMPLETED', counts: { created: 2, failed: 3_000 } });
    t.equal((await readErrors(app, user, mixed)).length, 1_000);
    await app.database.client.import.deleteMany();
    t.equal(await readUsage(), 0);
  },
);

t.test('an import of a suspended account ends, and so does one whose job is lost', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const { client, pool } = app.database;
  const user = await app.createUser();
  await app.services.jobs.stop();
  const [suspended, lost, waiting] = [
    (await importFile(app, user, THREE_BATCHES)).body.id,
    (await importFile(app, user, THREE_BATCHES)).body.id,
    (await importFile(app, user, THREE_BATCHES)).body.id,
  ];
  await client.user.update({ where: { id: user.id }, data: { status: 'SUSPENDED' } });
  await createImportCodesJob(app.services)({ accountId: user.id, importId: suspended });
  await client.user.update({ where: { id: user.id }, data: { status: 'ACTIVE' } });
  t.match(await getImport(app, user, suspended), {
    status: 'FAILED',
    error: { row: 1, code: 'ACCOUNT_SUSPENDED' },
  });
  await pool.query(`DELETE FROM pgboss.job WHERE data->>'importId' = $1`, [lost]);
  await cleanUpImports(app.services);
  t.match(await getImport(app, user, lost), { status: 'FAILED', error: { code: 'INTERNAL' } });
  t.match(await getImport(app, user, waiting), { status: 'WAITING', error: null });
  t.equal(await countCodes(app, user.id), 0);

  await client.import.updateMany({ where: { id: lost }, data: { expiresAt: new Date() } });
  t.equal((await get(app, user, `/api/imports/${lost}`)).status, 404);
  await cleanUpImports(app.services);
  t.equal(await client.import.count(), 2);
});

t.test(
  'an import ends at a code that fails its integrity check, and more than 50 a day are refused',
  async (t) => {
    const app = await startTestApp(t, NO_LIMITS);
    const user = await app.createUser();
    const { id, externalId } = await createTestCode(app, user, { externalId: 'broken' });
    await app.database.client.qrCode.update({ where: { id }, data: { data: Buffer.alloc(64) } });
    const csv = `kind,title,externalId,data.name\nPET,Rex,${externalId},Rex\n`;
    const done = await waitForImport(app, user, await importFile(app, user, csv));
    t.match(done, { status: 'FAILED', error: { row: 1, code: 'DATA_INTEGRITY' } });
    t.match(
      (await listAuditActions(app, id)).map(({ action }) => action),
      ['QRCODE_CREATED', 'DATA_INTEGRITY_FAILED'],
    );
    const ofImports = { key: { startsWith: 'import:' } };
    await app.database.client.attemptBudget.updateMany({ where: ofImports, data: { used: 50 } });
    t.match(await importFile(app, user, csv), { status: 429, body: { code: 'RATE_LIMITED' } });
  },
);

t.test('an account uploads up to three files at the same time', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const form = encodeMultipartForm([
    { name: 'format', value: 'csv' },
    { name: 'file', fileName: 'codes.csv', value: 'kind,title,data.text\nTEXT,Note,a\n' },
  ]);
  const files = app.database.client.storedFile;
  const uploads = [0, 1, 2].map(() => {
    const body = new PassThrough();
    body.write(form.subarray(0, -20));
    const headers = {
      authorization: `Bearer ${user.accessToken}`,
      'content-type': 'multipart/form-data; boundary=XX',
    };
    return { body, answer: app.app.inject({ method: 'POST', url: '/api/imports', headers, payload: body }) };
  });
  while ((await files.count({ where: { accountId: user.id } })) < 3) await sleep(20);
  t.match(await importFile(app, user, 'kind,title\n'), { status: 429, body: { code: 'RATE_LIMITED' } });
  for (const { body } of uploads) body.end(form.subarray(-20));
  for (const { answer } of uploads) t.equal((await answer).statusCode, 202);
});

t.test('an erasure ends imports and deletes them with their errors', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const wrong = await waitForImport(app, user, await importFile(app, user, 'kind,title\nTEXT,a\n'));
  t.equal((await readErrors(app, user, wrong)).length, 1);
  await app.call('DELETE', '/api/auth/account', {
    token: user.accessToken,
    body: { password: 'correct horse battery staple' },
  });
  while ((await app.database.client.import.count()) > 0) await sleep(20);
  t.equal(await app.database.client.importError.count(), 0);
});
