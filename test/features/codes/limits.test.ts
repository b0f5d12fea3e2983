import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createPetBody,
  createQrCodeClient,
  createTestCode,
  dumpAllRows,
  listAuditActions,
  listImagesOnDisk,
  listOrphanedImages,
  runAsDatabaseOwner,
} from './code-helper.ts';

const KEY = 'a-key-of-this-test-0001';

t.test('the free package allows fifty codes: of twenty parallel creations at 45, five succeed', async (t) => {
  const app = await startTestApp(t);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const call = createQrCodeClient(app, user);
  const [first] = [await createTestCode(app, user)];
  const copies = Array.from({ length: 44 }, (_, n) => n);
  await app.database.pool.query(
    `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design)
     SELECT lpad(to_hex(n + 1), 24, '0'), $1, 'PET', 'DYNAMIC', 'Copy', 'copy', '', '{}', '{}' FROM unnest($2::int[]) AS n`,
    [user.id, copies],
  );
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => call('POST', '', createPetBody({ title: `Parallel ${n}` }))),
    createQrCodeClient(app, other)('POST', '', createPetBody()),
  ]);
  t.equal(answers.pop()?.status, 201, 'another user is not affected');
  t.same(answers.map(({ status }) => status).toSorted(), [
    ...Array.from({ length: 5 }, () => 201),
    ...Array.from({ length: 15 }, () => 403),
  ]);
  const refused = answers.find(({ status }) => status === 403);
  t.match(refused?.body, { code: 'PLAN_LIMIT_REACHED', limit: 'qrCodes', used: 50, allowed: 50 });
  t.equal(await app.database.client.qrCode.count({ where: { accountId: user.id } }), 50);
  t.same(await listOrphanedImages(app), []);

  await call('DELETE', `/${first.id}`);
  t.equal((await call('POST', '', createPetBody())).status, 201, 'a deleted code frees quota');
  t.match((await call('POST', `/${first.id}/restore`)).body, { code: 'PLAN_LIMIT_REACHED' });
  t.match(
    (await call('POST', `/${other.id}/restore`)).body,
    { code: 'NOT_FOUND' },
    'an absent code is 404 even over the limit',
  );
});

t.test('an Idempotency-Key replays the first response and creates no second code or image', async (t) => {
  const app = await startTestApp(t);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const call = createQrCodeClient(app, user);
  const body = createPetBody({ pin: '1234' });
  const key = { 'idempotency-key': KEY };
  const parallel = await Promise.all(Array.from({ length: 8 }, () => call('POST', '', body, key)));
  t.same([...new Set(parallel.map(({ status }) => status))], [201]);
  t.equal(new Set(parallel.map(({ text }) => text)).size, 1, 'all answers are the same');
  t.equal(parallel.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 7);
  t.equal(new Set(parallel.map(({ headers }) => headers.location)).size, 1);
  const reused = await call('POST', '', createPetBody({ title: 'Other' }), key);
  t.match([reused.status, reused.body.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  t.equal(
    (await createQrCodeClient(app, other)('POST', '', body, key)).headers['idempotency-replayed'],
    undefined,
  );
  t.equal((await call('POST', '', body, { 'idempotency-key': 'x'.repeat(256) })).status, 400);
  t.equal(await app.database.client.qrCode.count({ where: { accountId: user.id } }), 1);
  t.same(await listOrphanedImages(app), []);
  t.notMatch(JSON.stringify(await app.database.client.idempotencyKey.findMany()), KEY);
});

t.test('a late failure leaves neither a row nor an image', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user);
  const before = [await dumpAllRows(app), await listImagesOnDisk(app), (await listAuditActions(app)).length];
  const folder = join(app.services.config.uploadsDir, 'qrcodes');
  await rename(folder, `${folder}.away`);
  const failed = await app.call('GET', new URL(code.imageUrl).pathname);
  t.match([failed.status, failed.body.code], [503, 'PROVIDER_UNAVAILABLE'], 'an unavailable disk');
  t.notMatch(failed.text, /ENOENT|qrcodes/);
  await rename(`${folder}.away`, folder);
  // The audit entry is the last row of both transactions.
  await runAsDatabaseOwner(app, "ALTER TABLE audit_entries ADD CHECK (action NOT LIKE 'QRCODE%') NOT VALID");
  for (const headers of [undefined, { 'idempotency-key': KEY }]) {
    t.not((await call('POST', '', createPetBody(), headers)).status, 201);
    t.not((await call('PUT', `/${code.id}`, { design: { size: 300 } }, headers)).status, 200);
  }
  for (const path of ['lost', 'test', 'restore']) {
    t.ok((await call('POST', `/${code.id}/${path}`, {})).status >= 400, path);
  }
  t.not((await call('DELETE', `/${code.id}`)).status, 200);
  t.equal(await app.database.client.idempotencyKey.count(), 0);
  t.equal(await app.database.client.testLink.count(), 0);
  await runAsDatabaseOwner(app, 'ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_action_check');
  const [rows, images, entries] = before;
  t.same([await dumpAllRows(app), await listImagesOnDisk(app)], [rows, images]);
  // A rejected restore is audited, too.
  t.equal((await listAuditActions(app)).length, Number(entries) + 1);
  t.same(await listOrphanedImages(app), []);
  t.equal(
    (await call('POST', '', createPetBody(), { 'idempotency-key': KEY })).status,
    201,
    'the key is free again',
  );
});
