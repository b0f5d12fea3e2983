import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { countStoredFiles, createTestPdf, sendMultipartForm, uploadDocument } from './upload.ts';

const runConcurrently = <Result>(count: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

const countStatuses = (answers: readonly TestResponse[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status < 300 ? String(status) : String(body.code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

/** Retry a request until the service is not too busy. */
async function retryWhileBusy(ask: () => Promise<TestResponse>): Promise<TestResponse> {
  const answer = await ask();
  return answer.status === 503 ? retryWhileBusy(ask) : answer;
}

t.test('limits versions, documents and storage', async (t) => {
  const test = await startTestApp(t, { DATABASE_POOL_SIZE: '20' });
  const { call, createUser, database } = test;
  const addTo = (id: string, token: string, content = createTestPdf(generateId()), headers = {}) =>
    sendMultipartForm(
      test,
      `/api/documents/${id}/versions`,
      token,
      [{ name: 'file', fileName: 'next.pdf', value: content }],
      headers,
    );
  const contentOf = async (id: string, token: string, query = '') =>
    (await call('GET', `/api/documents/${id}/content${query}`, { token })).text;

  await t.test('reads the new version, and keeps the earlier one until it is deleted', async (t) => {
    const { accessToken: token } = await createUser();
    const [first, second] = [createTestPdf('first'), createTestPdf('the second')];
    const { id } = (await uploadDocument(test, token, first)).body;
    const trail = await captureAuditEntries(test, async () => {
      const added = await addTo(id, token, second, { 'if-match': '"1"' });
      t.equal(added.status, 201, added.text);
      t.match(added.body, { documentId: id, number: 2, fileName: 'next.pdf', malwareCheck: 'NOT_CHECKED' });
      t.equal(added.headers.location, `/api/documents/${id}/content?version=2`);
    });
    t.match(trail, [{ action: 'DOCUMENT_VERSION_ADDED', resourceId: id }]);
    t.equal((await addTo(id, token, second, { 'if-match': '"1"' })).body.code, 'PRECONDITION_FAILED');
    t.equal(await contentOf(id, token), second.toString());
    t.equal(await contentOf(id, token, '?version=1'), first.toString());
    t.match((await call('GET', `/api/documents/${id}`, { token })).body, {
      versionCount: 2,
      currentVersion: 2,
      size: second.length,
      fileName: 'next.pdf',
      version: 2,
    });
    const versions = await call('GET', `/api/documents/${id}/versions`, { token });
    t.match(versions.body, { data: [{ number: 2 }, { number: 1 }], pagination: { total: 2 } });

    const before = await countStoredFiles(test);
    const newest = await call('DELETE', `/api/documents/${id}/versions/2`, { token });
    t.equal(newest.body.code, 'CURRENT_VERSION_NOT_DELETABLE');
    const gone = await captureAuditEntries(test, async () => {
      t.equal((await call('DELETE', `/api/documents/${id}/versions/1`, { token })).status, 200);
    });
    t.match(gone, [{ action: 'DOCUMENT_VERSION_DELETED', resourceId: id }]);
    t.equal((await call('GET', `/api/documents/${id}/content?version=1`, { token })).status, 404);
    t.equal((await call('DELETE', `/api/documents/${id}/versions/1`, { token })).status, 404);
    t.same(await countStoredFiles(test), { rows: before.rows - 1, files: before.files - 1 });
  });

  await t.test(
    'restores a version, which is read from then on, and numbers the next after the newest',
    async (t) => {
      const { accessToken: token } = await createUser();
      const { id } = (await uploadDocument(test, token, createTestPdf('first'), { kind: 'HEALTH' })).body;
      await addTo(id, token, createTestPdf('the second'));
      const restore = (number: number, headers = {}) =>
        call('POST', `/api/documents/${id}/versions/${number}/restore`, { token, headers });
      t.equal((await restore(1, { 'if-match': '"1"' })).body.code, 'PRECONDITION_FAILED');
      t.equal((await restore(3)).status, 404);
      const key = { 'idempotency-key': generateId() };
      const trail = await captureAuditEntries(test, async () => {
        const restored = await restore(1, { 'if-match': '"2"', ...key });
        t.match(restored, {
          status: 200,
          headers: { etag: '"3"' },
          body: { currentVersion: 1, versionCount: 2 },
        });
        t.equal((await restore(1, { 'if-match': '"2"', ...key })).headers['idempotency-replayed'], 'true');
      });
      t.match(trail, [{ action: 'DOCUMENT_VERSION_RESTORED' }, { action: 'HEALTH_DOCUMENT_VIEWED' }]);
      t.match(await contentOf(id, token), '% first');
      const share = (await call('POST', `/api/documents/${id}/shares`, { token, body: {} })).body;
      const opened = await call('POST', `/api/documents/shared/${share.token}/open`);
      t.match((await call('GET', new URL(opened.body.contentUrl).pathname)).text, '% first');
      t.equal((await call('DELETE', `/api/documents/${id}/versions/1`, { token })).status, 409);
      t.equal((await addTo(id, token, createTestPdf('third'))).body.number, 3);
      t.match(await contentOf(id, token), '% third');
      await restore(1);
      t.equal((await call('DELETE', `/api/documents/${id}/versions/3`, { token })).status, 200);
      t.match(await contentOf(id, token), '% first');
      t.equal((await addTo(id, token, createTestPdf('fourth'))).body.number, 4, 'no number twice');
      t.equal((await call('GET', `/api/documents/${id}/content?version=3`, { token })).status, 404);
    },
  );

  await t.test('stores parallel versions with consecutive numbers, up to 20', async (t) => {
    const { accessToken: token } = await createUser();
    const { id } = (await uploadDocument(test, token)).body;
    const before = await countStoredFiles(test);
    const answers = await runConcurrently(24, () => retryWhileBusy(() => addTo(id, token)));
    t.same(countStatuses(answers), { 201: 19, TOO_MANY_VERSIONS: 5 });
    const { body } = await call('GET', `/api/documents/${id}/versions?limit=100`, { token });
    t.same(
      body.data.map(({ number }: { number: number }) => number),
      Array.from({ length: 20 }, (_, n) => 20 - n),
    );
    t.same(await countStoredFiles(test), { rows: before.rows + 19, files: before.files + 19 });
  });

  await t.test('stores all or nothing of an upload during a deletion', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    const { id } = (await uploadDocument(test, token)).body;
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => retryWhileBusy(() => addTo(id, token))),
      call('DELETE', `/api/documents/${id}?permanent=true`, { token }),
      ...Array.from({ length: 6 }, () => retryWhileBusy(() => addTo(id, token))),
    ]);
    t.ok(answers.every(({ status }) => [200, 201, 404].includes(status)));
    t.equal(await database.client.documentVersion.count({ where: { accountId } }), 0);
    const left = { accountId, state: 'STORED' };
    await countStoredFiles(test);
    t.equal(await database.client.storedFile.count({ where: left }), 0);
  });

  await t.test('creates one version per Idempotency-Key, and rejects another file with it', async (t) => {
    const { accessToken: token } = await createUser();
    const before = await countStoredFiles(test);
    const headers = { 'idempotency-key': 'a-key-of-sixteen-characters' };
    const content = createTestPdf('once');
    const upload = (bytes = content, fields = {}) => uploadDocument(test, token, bytes, fields, headers);
    const answers = await runConcurrently(4, () => retryWhileBusy(() => upload()));
    t.equal(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size, 1);
    const again = await upload();
    t.equal(again.headers['idempotency-replayed'], 'true');
    for (const other of [await upload(createTestPdf('another')), await upload(content, { title: 'Another' })])
      t.equal(other.body.code, 'IDEMPOTENCY_KEY_REUSED');
    t.same(await countStoredFiles(test), { rows: before.rows + 1, files: before.files + 1 });
    const versionKey = { 'idempotency-key': generateId() };
    const [one, two] = [
      await addTo(again.body.id, token, content, versionKey),
      await addTo(again.body.id, token, content, versionKey),
    ];
    t.same([one.body.number, two.body.number], [2, 2]);
  });

  await t.test('creates exactly 5 documents in 100 parallel uploads at a limit of 5', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    await setPackageLimit(test, 'FREE', { documents: 5, storageBytes: null });
    const before = await countStoredFiles(test);
    const answers = await runConcurrently(100, () => retryWhileBusy(() => uploadDocument(test, token)));
    t.same(countStatuses(answers), { 201: 5, PLAN_LIMIT_REACHED: 95 });
    t.equal(await database.client.document.count({ where: { accountId } }), 5);
    t.same(await countStoredFiles(test), { rows: before.rows + 5, files: before.files + 5 });
    t.match(answers.find(({ status }) => status === 403)?.body, {
      limit: 'documents',
      used: 5,
      allowed: 5,
      detail: 'The package allows 5 documents.',
    });
  });

  await t.test('counts bytes of all versions exactly in 100 parallel uploads', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    const content = createTestPdf('x'.repeat(1_000));
    await setPackageLimit(test, 'FREE', { documents: null, storageBytes: content.length * 10 + 100 });
    const { id } = (await uploadDocument(test, token, content)).body;
    const answers = await runConcurrently(100, (n) =>
      retryWhileBusy(() => (n % 5 === 0 ? addTo(id, token, content) : uploadDocument(test, token, content))),
    );
    t.same(countStatuses(answers), { 201: 9, PLAN_LIMIT_REACHED: 91 });
    const { body: me } = await call('GET', '/api/auth/me', { token });
    t.equal(me.usage.storageBytes, content.length * 10);
    t.equal(me.usage.documents, await database.client.document.count({ where: { accountId } }));
    t.match(answers.find(({ status }) => status === 403)?.body, { limit: 'storageBytes' });
    await call('DELETE', `/api/documents/${id}`, { token });
    t.equal((await uploadDocument(test, token, content)).status, 403, 'what can be restored takes up room');
    await call('DELETE', `/api/documents/${id}?permanent=true`, { token });
    t.equal((await uploadDocument(test, token, content)).status, 201, 'what is gone makes room');
  });

  await t.test('limits a file to a tenth of the storage quota', async (t) => {
    const { accessToken: token } = await createUser();
    await setPackageLimit(test, 'FREE', { documents: null, storageBytes: 50_000 });
    const before = await countStoredFiles(test);
    t.equal((await uploadDocument(test, token, createTestPdf('x'.repeat(4_000)))).status, 201);
    const large = await uploadDocument(test, token, createTestPdf('x'.repeat(6_000)));
    t.match(large, { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    t.same(await countStoredFiles(test), { rows: before.rows + 1, files: before.files + 1 });
  });

  await t.test('allows reading and deleting, but not changing, beyond the quota', async (t) => {
    const { accessToken: token } = await createUser();
    await setPackageLimit(test, 'FREE', { documents: 2, storageBytes: null });
    const [old, young] = [
      (await uploadDocument(test, token)).body.id,
      (await uploadDocument(test, token)).body.id,
    ];
    await database.pool.query("UPDATE documents SET created_at = '2026-01-01' WHERE id = $1", [old]);
    await setPackageLimit(test, 'FREE', { documents: 1, storageBytes: null });
    const change = (id: string, title: string) =>
      call('PUT', `/api/documents/${id}`, { token, body: { title } });
    t.equal((await call('GET', `/api/documents/${young}`, { token })).body.readOnly, true);
    t.equal((await change(young, 'Other')).body.code, 'PLAN_LIMIT_REACHED');
    t.equal((await change(young, 'paper.pdf')).status, 200, 'sent back as it was read');
    t.equal((await addTo(young, token)).body.code, 'PLAN_LIMIT_REACHED');
    t.equal((await call('GET', `/api/documents/${young}/content`, { token })).status, 200);
    t.match((await change(old, 'Other')).body, { title: 'Other', readOnly: false });
    t.equal((await call('DELETE', `/api/documents/${young}`, { token })).status, 200);
  });
});
