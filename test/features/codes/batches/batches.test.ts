import { cleanUpBatches } from '../../../../src/features/codes/batches/clean-up-batches.use-case.ts';
import { createTagsJob } from '../../../../src/features/codes/batches/create-tags.job.ts';
import { createDeleteBatchJob } from '../../../../src/features/codes/batches/delete-batch.job.ts';
import { eraseBatches } from '../../../../src/features/codes/batches/erase-batches.repository.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode, fetchImage, listAuditActions, listErrorFields } from '../code-helper.ts';
import { requestPrintSheet, waitForPrintSheet } from '../print-sheets/print-sheet-helper.ts';
import { createBatch, getBatch, listTags, requestBatch, waitForBatch } from './batch-helper.ts';

const NO_LIMITS = { BILLING: 'off' };

t.test('a batch creates unclaimed codes with numbers, which lists, numbers and filters find', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const token = user.accessToken;
  await createTestCode(app, user);
  const requested = await requestBatch(app, user, {
    count: 12,
    design: { foreground: '#1a237e' },
    pageDesign: { accentColor: '#0d47a1' },
  });
  t.match(requested, { status: 202, body: { status: 'WAITING', count: 12, created: 0, claim: 'OPEN' } });
  t.equal(requested.headers.location, `/api/batches/${requested.body.id}`);
  const batch = await waitForBatch(app, user, requested);
  t.match(batch, { status: 'COMPLETED', created: 12, error: null });
  t.same(batch.counts, { printed: 0, handedOut: 0, scanned: 0, claimed: 0 });
  const tags = await listTags(app, user, batch.id);
  t.same(
    tags.map(({ number }) => number),
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
  t.ok(tags.every(({ status }) => status === 'CREATED'));

  const { body: list } = await app.call('GET', `/api/qrcodes?batchId=${batch.id}&sort=title`, { token });
  t.equal(list.pagination.total, 12);
  const [first] = list.data;
  t.match(first, { title: 'Suitcase 01', status: 'UNCLAIMED', kind: 'LUGGAGE', id: tags[0]?.qrCodeId });
  t.equal(first.shortNumber, tags[0]?.shortNumber);
  const { body: range } = await app.call('GET', `/api/qrcodes?batchId=${batch.id}&tagFrom=3&tagTo=5`, {
    token,
  });
  t.equal(range.pagination.total, 3);
  const { body: found } = await app.call('GET', `/api/qrcodes?search=${first.shortNumber}`, { token });
  t.equal(found.data[0]?.id, first.id);
  t.match(await app.call('GET', `/?number=${first.shortNumber}`), { status: 303 });
  t.equal((await app.call('POST', '/api/scans/public', { body: { qrCodeId: first.id } })).status, 404);
  t.ok((await fetchImage(app, first)).length > 0, 'the image is drawn on its first request');
  const { body: code } = await app.call('GET', `/api/qrcodes/${first.id}`, { token });
  t.match(code, { data: {}, design: { foreground: '#1a237e' }, pageDesign: { accentColor: '#0d47a1' } });
  const actions = (await listAuditActions(app)).map(({ action }) => action);
  t.same(
    actions.filter((action) => action.startsWith('BATCH_')),
    ['BATCH_REQUESTED', 'BATCH_COMPLETED'],
  );
});

t.test('rows have titles of their own; what cannot be made is named', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const rows = [{ title: 'Ada' }, { title: ' Grace  ' }];
  const { batch, tags } = await createBatch(app, user, { kind: 'MEDICAL', rows });
  t.match(batch, { status: 'COMPLETED', count: 2 });
  const { body } = await app.call('GET', `/api/qrcodes/${tags[1]?.qrCodeId}`, { token: user.accessToken });
  t.equal(body.title, 'Grace');
  const refuse = async (fields: object) => listErrorFields(await requestBatch(app, user, fields));
  t.same(await refuse({ rows, count: 2 }), ['count REQUIRED']);
  t.same(await refuse({ count: undefined }), ['count REQUIRED']);
  t.same(await refuse({ design: { logo: 'data:image/png;base64,aaaa' } }), ['design.logo NOT_ALLOWED']);
  t.same(await refuse({ design: { color: 'x' } }), ['design.color UNKNOWN_FIELD']);
  t.same(await refuse({ pageDesign: { accentColor: '#ffffff' } }), ['pageDesign.accentColor LOW_CONTRAST']);
  t.equal((await requestBatch(app, user, { kind: 'URL' })).status, 400);
  t.equal((await requestBatch(app, user, { count: 100_001 })).status, 400);
});

t.test('a batch larger than what the package allows is refused before a tag is made', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const refused = await requestBatch(app, user, { count: 100_000 });
  t.match(refused, { status: 403, body: { code: 'PLAN_LIMIT_REACHED', limit: 'qrCodes', used: 0 } });
  const { allowed } = refused.body;
  t.equal(await app.database.client.batch.count(), 0);
  await app.services.jobs.stop();
  t.equal((await requestBatch(app, user, { count: allowed - 1 })).status, 202);
  t.equal((await requestBatch(app, user, { count: 2 })).status, 403, 'tags that wait count');
  t.equal((await requestBatch(app, user, { count: 1 })).status, 202);
  t.match(await requestBatch(app, user, { count: 1 }), { status: 409, body: { code: 'TOO_MANY_BATCHES' } });
});

t.test('a job goes on where a killed one has ended, and stops for good when it is canceled', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  await app.services.jobs.stop();
  const { body } = await requestBatch(app, user, { count: 2_500, claim: 'BY_CODE' });
  const payload = { accountId: user.id, batchId: body.id };
  // A job without time stores the first thousand.
  await createTagsJob(app.services, 0)(payload);
  t.match(await getBatch(app, user, body.id), { status: 'RUNNING', created: 1_000 });
  // Two workers have the same job.
  await Promise.all([createTagsJob(app.services)(payload), createTagsJob(app.services)(payload)]);
  t.match(await getBatch(app, user, body.id), { status: 'COMPLETED', created: 2_500 });
  const { client } = app.database;
  t.equal(await client.qrCode.count({ where: { accountId: user.id } }), 2_500);
  t.equal(await client.shortNumber.count(), 2_500);
  const counts = await client.qrCodeCount.findUnique({ where: { accountId: user.id } });
  t.match(counts, { unclaimed: 2_500, active: 0 });
  const tag = await client.batchTag.findFirst({ where: { accountId: user.id } });
  t.ok(tag?.claimCode && tag.claimCode.length > 20, 'claim codes are encrypted');

  const second = await requestBatch(app, user, { count: 1_500 });
  await createTagsJob(app.services, 0)({ accountId: user.id, batchId: second.body.id });
  const path = `/api/batches/${second.body.id}`;
  const token = user.accessToken;
  t.match(await app.call('POST', `${path}/cancel`, { token }), { status: 200, body: { status: 'CANCELED' } });
  t.match(await app.call('POST', `${path}/cancel`, { token }), {
    status: 409,
    body: { code: 'BATCH_FINISHED' },
  });
  await createTagsJob(app.services)({ accountId: user.id, batchId: second.body.id });
  t.match(await getBatch(app, user, second.body.id), { status: 'CANCELED', created: 1_000 });
});

t.test('a batch whose job was lost fails', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  await app.services.jobs.stop();
  const { body } = await requestBatch(app, user);
  await cleanUpBatches(app.services);
  t.match(await getBatch(app, user, body.id), { status: 'WAITING' });
  await app.database.pool.query('DELETE FROM pgboss.job');
  await cleanUpBatches(app.services);
  t.match(await getBatch(app, user, body.id), { status: 'FAILED', error: { code: 'INTERNAL' } });
});

t.test('tags are marked as printed by print sheets and by hand, and as handed out', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const token = user.accessToken;
  const { batch, tags } = await createBatch(app, user, { count: 5 });
  const filter = { batchId: batch.id, tagFrom: 2, tagTo: 3, sort: 'title' };
  const printed = await requestPrintSheet(app, user, { filter, template: 'avery-l7160' });
  t.match(await waitForPrintSheet(app, user, printed), { status: 'READY', labels: 2 });
  const mark = (body: object) => app.call('PATCH', `/api/batches/${batch.id}/tags`, { token, body });
  t.match(await mark({ from: 3, to: 5, handedOut: true }), {
    status: 200,
    body: { counts: { printed: 2, handedOut: 3 } },
  });
  t.match(await mark({ printed: true }), { body: { counts: { printed: 5, handedOut: 3 } } });
  t.match(await mark({ from: 5, handedOut: false }), { body: { counts: { printed: 5, handedOut: 2 } } });
  const listed = await listTags(app, user, batch.id);
  t.same(
    listed.map(({ status }) => status),
    ['PRINTED', 'PRINTED', 'HANDED_OUT', 'HANDED_OUT', 'PRINTED'],
  );
  t.same(listErrorFields(await mark({ from: 4, to: 2, printed: true })), ['to OUT_OF_RANGE']);
  t.same(listErrorFields(await mark({ to: 6, printed: true })), ['to OUT_OF_RANGE']);
  t.same(listErrorFields(await mark({ from: 1, to: 2 })), ['handedOut REQUIRED', 'printed REQUIRED']);
  const { body: page } = await app.call('GET', `/api/batches/${batch.id}/tags?limit=2&from=2`, { token });
  t.same(
    page.data.map(({ number }: { number: number }) => number),
    [2, 3],
  );
  const next = `/api/batches/${batch.id}/tags?limit=2&from=2&cursor=${page.pagination.nextCursor}`;
  t.same(
    (await app.call('GET', next, { token })).body.data.map(({ number }: { number: number }) => number),
    [4, 5],
  );
  await app.call('DELETE', `/api/qrcodes/${tags[0]?.qrCodeId}`, { token });
  t.equal((await listTags(app, user, batch.id))[0]?.status, 'DELETED');
});

t.test('an unclaimed tag has no content to change, and is neither lost nor paused', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const token = user.accessToken;
  const { tags } = await createBatch(app, user, { count: 1 });
  const path = `/api/qrcodes/${tags[0]?.qrCodeId}`;
  for (const [method, url, body] of [
    ['PATCH', path, { status: 'ACTIVE' }],
    ['PUT', path, { title: 'Mine', data: { name: 'Mine' } }],
    ['POST', `${path}/lost`, { message: 'x' }],
  ] as const)
    t.match(await app.call(method, url, { token, body }), {
      status: 409,
      body: { code: 'TAG_UNCLAIMED' },
    });
});

t.test('a deleted batch takes its unclaimed tags with it, and no other code', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const token = user.accessToken;
  const otherCode = await createTestCode(app, user);
  const { batch, tags } = await createBatch(app, user, { count: 300 });
  const path = `/api/batches/${batch.id}`;
  for (const [method, url] of [
    ['GET', path],
    ['DELETE', path],
    ['POST', `${path}/cancel`],
    ['GET', `${path}/tags`],
  ] as const)
    t.equal((await app.call(method, url, { token: other.accessToken })).status, 404, `${method} ${url}`);
  const { body: code } = await app.call('GET', `/api/qrcodes/${tags[0]?.qrCodeId}`, { token });
  await fetchImage(app, code);
  await app.services.jobs.stop();
  t.match(await app.call('DELETE', path, { token }), { status: 200, body: { id: batch.id, deleted: true } });
  t.equal((await app.call('GET', path, { token })).status, 404);
  const payload = { accountId: user.id, batchId: batch.id };
  await createDeleteBatchJob(app.services)(payload);
  await createDeleteBatchJob(app.services)(payload);
  const { client } = app.database;
  t.equal(await client.batch.count(), 0);
  t.equal(await client.batchTag.count(), 0);
  t.match(await client.qrCodeCount.findUnique({ where: { accountId: user.id } }), {
    active: 1,
    unclaimed: 0,
    deleted: 300,
  });
  t.equal((await app.call('GET', `/api/qrcodes/${otherCode.id}`, { token })).status, 200);
  t.equal((await app.call('GET', new URL(code.imageUrl).pathname)).status, 404);
  t.equal((await app.call('POST', `/api/qrcodes/${code.id}/restore`, { token })).status, 404);
  t.equal((await createTestCode(app, user)).status, 'ACTIVE', 'deleted tags do not limit new codes');
});

t.test('batches of an erased account are deleted in steps, and the jobs that make them end', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [user, other] = [await app.createUser(), await app.createUser()];
  await createBatch(app, other, { count: 2 });
  await createBatch(app, user, { count: 5 });
  await app.services.jobs.stop();
  const { body: open } = await requestBatch(app, user, { count: 1_500 });
  const job = createTagsJob(app.services, 0);
  await job({ accountId: user.id, batchId: open.id });
  const { client } = app.database;
  const where = { accountId: user.id };
  const erasure = {
    id: user.id,
    userId: user.id,
    auditReference: null,
    scanCursorAt: null,
    scanCursorId: null,
  };
  const erase = (limit: number) =>
    app.database.transaction((tx) => eraseBatches(tx, erasure, { limit, skipLocked: false }));
  t.equal(await erase(1), false);
  t.equal(await client.batchTag.count({ where }), 1_004, 'one step deletes no more than its limit');
  await job({ accountId: user.id, batchId: open.id });
  t.equal(await client.batchTag.count({ where }), 1_004, 'no tag is created beside the erasure');
  t.equal(await erase(1_004), false);
  t.equal(await erase(1), false);
  t.equal(await erase(1), true);
  t.equal(await client.batch.count({ where }), 0);
  t.equal(await client.batchTag.count({ where: { accountId: other.id } }), 2);
});

t.test('a tag that was deleted before its batch cannot be restored', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const token = user.accessToken;
  const { batch, tags } = await createBatch(app, user, { count: 2 });
  const [id, restored] = tags.map(({ qrCodeId }) => qrCodeId);
  const restore = (qrCodeId: string) => app.call('POST', `/api/qrcodes/${qrCodeId}/restore`, { token });
  for (const code of [id, restored]) await app.call('DELETE', `/api/qrcodes/${code}`, { token });
  await app.services.jobs.stop();
  t.equal((await app.call('DELETE', `/api/batches/${batch.id}`, { token })).status, 200);
  t.equal((await restore(restored)).status, 200);
  await createDeleteBatchJob(app.services)({ accountId: user.id, batchId: batch.id });
  t.equal((await restore(id)).status, 404);
  t.equal((await app.call('GET', `/api/qrcodes/${restored}`, { token })).status, 404);
  t.equal(await app.database.client.batch.count(), 0);
});

t.test('tags are exported with their claim codes, and their images as an archive', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const token = user.accessToken;
  const { batch, tags } = await createBatch(app, user, { count: 3, claim: 'BY_CODE' });
  const { text } = await app.call('GET', `/api/batches/${batch.id}/export?format=csv`, { token });
  const [header, ...lines] = text.trim().split('\r\n');
  t.equal(header, 'number,title,shortNumber,claimCode,scanUrl,status');
  t.equal(lines.length, 3);
  const codes = lines.map((line) => line.split(',')[3] ?? '');
  t.ok(
    codes.every((code) => /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/.test(code)),
    codes.join(),
  );
  t.equal(new Set(codes).size, 3);
  t.match(lines[0], `1,Suitcase 1,${tags[0]?.shortNumber},`);
  const headers = { authorization: `Bearer ${token}` };
  for (const format of ['png', 'svg']) {
    const url = `/api/batches/${batch.id}/images?format=${format}&from=2`;
    const { rawPayload, statusCode } = await app.app.inject({ url, headers });
    t.equal(statusCode, 200);
    t.equal(rawPayload.subarray(0, 2).toString(), 'PK');
    const names = rawPayload.toString('latin1');
    t.match(names, `000003-${tags[2]?.shortNumber}.${format}`);
    t.notMatch(names, '000001-');
  }
  const far = await app.call('GET', `/api/batches/${batch.id}/images?from=1&to=2001`, { token });
  t.same(listErrorFields(far), ['to OUT_OF_RANGE']);
  const actions = (await listAuditActions(app)).map(({ action }) => action);
  t.equal(actions.filter((action) => action === 'BATCH_EXPORTED').length, 3);
});
