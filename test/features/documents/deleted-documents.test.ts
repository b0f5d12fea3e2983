import { purgeDeletedDocuments } from '../../../src/features/documents/purge-documents.use-case.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { createTestCode } from '../codes/code-helper.ts';
import { signInBrowser } from '../owner-pages/signed-in-browser.ts';
import { countStoredFiles, createTestPdf, uploadDocument } from './upload.ts';

t.test('a deleted document is hidden, and restored with its versions, links and grants', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const [{ accessToken: token }, bob] = [await createUser(), await createUser({ email: 'bob@example.org' })];
  const fields = { title: 'Lease', externalId: 'c/1', kind: 'HEALTH' };
  const { id } = (await uploadDocument(test, token, createTestPdf('lease'), fields)).body;
  const share = (await call('POST', `/api/documents/${id}/shares`, { token, body: {} })).body;
  const open = () => call('POST', `/api/documents/shared/${share.token}/open`);
  const { contentUrl } = (await open()).body;
  const ticket = new URL(contentUrl).pathname;
  await call('POST', `/api/documents/${id}/grants`, { token, body: { email: 'bob@example.org' } });
  const readReceived = async () =>
    (await call('GET', '/api/documents/received', { token: bob.accessToken })).body.data;
  const [received] = await readReceived();
  const list = async (query = '') => (await call('GET', `/api/documents${query}`, { token })).body.data;
  const since = `?updatedSince=${new Date(Date.now() - 60_000).toISOString()}`;
  const readChanges = async () => (await call('GET', `/api/documents${since}`, { token })).body;

  const trail = await captureAuditEntries(test, async () => {
    t.equal(
      (await call('DELETE', `/api/documents/${id}`, { token, headers: { 'if-match': '"9"' } })).status,
      412,
    );
    t.same((await call('DELETE', `/api/documents/${id}`, { token })).body, { id, deleted: true });
  });
  t.match(trail.at(-1), { action: 'DOCUMENT_DELETED', resourceId: id });
  t.equal((await call('DELETE', `/api/documents/${id}`, { token })).status, 404);
  for (const path of ['', '/content', '/versions', '/shares', '/grants', '/accesses'])
    t.equal((await call('GET', `/api/documents/${id}${path}`, { token })).status, 404, path);
  t.equal((await call('PUT', `/api/documents/${id}`, { token, body: { title: 'X' } })).status, 404);
  t.equal((await call('GET', `/api/documents/shared/${share.token}`)).status, 404);
  t.equal((await open()).status, 404);
  t.equal((await call('GET', ticket)).status, 404, 'a download that was open');
  t.same(await readReceived(), []);
  const content = `/api/documents/received/${received.id}/content`;
  t.equal((await call('GET', content, { token: bob.accessToken })).status, 404);
  t.same(await list(), []);
  t.match(await list('?deleted=true'), [{ id, title: 'Lease', version: 2 }]);
  t.match(await readChanges(), { data: [], deleted: [{ id }] });
  t.match((await call('GET', '/api/auth/me', { token })).body, { usage: { documents: 0 } });
  const other = await uploadDocument(test, token, createTestPdf(), { externalId: 'c/1' });
  t.equal(other.status, 201, 'its id is free');

  const restore = (headers = {}) => call('POST', `/api/documents/${id}/restore`, { token, headers });
  t.equal((await restore()).body.code, 'EXTERNAL_ID_TAKEN');
  await call('DELETE', `/api/documents/${other.body.id}?permanent=true`, { token });
  t.equal((await restore({ 'if-match': '"1"' })).body.code, 'PRECONDITION_FAILED');
  t.equal((await call('POST', `/api/documents/${id}/restore`, { token: bob.accessToken })).status, 404);
  const key = { 'idempotency-key': generateId() };
  const repeats = await captureAuditEntries(test, async () => {
    t.match((await restore(key)).body, { ...fields, shareCount: 2, version: 3 });
    t.equal((await restore(key)).headers['idempotency-replayed'], 'true');
  });
  t.match(repeats, [{ action: 'DOCUMENT_RESTORED' }, { action: 'HEALTH_DOCUMENT_VIEWED' }]);
  t.equal((await restore()).status, 404, 'it is not deleted');
  t.match((await call('GET', `/api/documents/${id}/content`, { token })).text, '% lease');
  t.equal((await open()).status, 200);
  t.equal((await readReceived()).length, 1);
  t.match(await readChanges(), { data: [{ id }], deleted: [{ id: other.body.id }] });
  t.same(await list('?deleted=true'), []);
});

t.test('deleted documents do not count as documents, and their files are removed at the end', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const { accessToken: token } = await createUser();
  await setPackageLimit(test, 'FREE', { documents: 1, storageBytes: null });
  const { id } = (await uploadDocument(test, token)).body;
  t.equal((await uploadDocument(test, token)).status, 403);
  await call('DELETE', `/api/documents/${id}`, { token });
  const next = await uploadDocument(test, token);
  t.equal(next.status, 201);
  const restore = () => call('POST', `/api/documents/${id}/restore`, { token });
  t.match(await restore(), { status: 403, body: { code: 'PLAN_LIMIT_REACHED' } });
  await call('DELETE', `/api/documents/${next.body.id}`, { token });
  const age = (days: number) =>
    database.client.document.update({
      where: { id },
      data: { deletedAt: new Date(Date.now() - days * 86_400_000) },
    });
  await age(29);
  await purgeDeletedDocuments(test.services);
  t.match(await countStoredFiles(test), { rows: 2, files: 2 });
  await age(31);
  t.same(
    (await call('GET', '/api/documents?deleted=true', { token })).body.data.map(
      (row: { id: string }) => row.id,
    ),
    [next.body.id],
  );
  t.equal((await restore()).status, 404, 'too late');
  const trail = await captureAuditEntries(test, () => purgeDeletedDocuments(test.services));
  t.match(trail, [{ action: 'DOCUMENT_PURGED', resourceId: id }]);
  t.match(await countStoredFiles(test), { rows: 1, files: 1 });
  t.equal(await database.client.document.count({ where: { id } }), 0);
});

t.test('a document that cannot be removed does not keep the others', async (t) => {
  const test = await startTestApp(t);
  const { createUser, call, database } = test;
  const { accessToken: token } = await createUser();
  const ids: string[] = [];
  for (const days of [33, 32, 31]) {
    const { id } = (await uploadDocument(test, token)).body;
    await call('DELETE', `/api/documents/${id}`, { token });
    const deletedAt = new Date(Date.now() - days * 86_400_000);
    await database.client.document.update({ where: { id }, data: { deletedAt } });
    ids.push(id);
  }
  const [first = '', second, third] = ids;
  const { fileId } = await database.client.documentVersion.findFirstOrThrow({ where: { documentId: first } });
  const { files } = test.services;
  const failing = Object.assign(Object.create(files), {
    remove: async (...[tx, fileIds]: Parameters<typeof files.remove>) => {
      if (fileIds.includes(fileId)) throw new Error('The file store is unavailable.');
      await files.remove(tx, fileIds);
    },
  });
  const trail = await captureAuditEntries(test, () =>
    t.rejects(
      purgeDeletedDocuments({ database, files: failing }),
      { message: /file store/ },
      'a job that failed',
    ),
  );
  t.same(
    trail.map(({ resourceId }) => resourceId),
    [second, third],
  );
  await purgeDeletedDocuments(test.services);
  t.equal(await database.client.document.count({ where: { id: { in: ids } } }), 0);
});

t.test('a document is not restored onto a code that offers five others meanwhile', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const user = await createUser();
  const token = user.accessToken;
  await setPackageLimit(test, 'FREE', { documents: null, storageBytes: null });
  const code = await createTestCode(test, user, { kind: 'DOCUMENT', data: { name: 'Papers' } });
  const upload = async () => (await uploadDocument(test, token)).body.id as string;
  const offer = async (id: string, qrCodeId = code.id) =>
    (await call('POST', `/api/documents/${id}/shares`, { token, body: { qrCodeId } })).body;
  const restore = (id: string) => call('POST', `/api/documents/${id}/restore`, { token });
  const deleted = await upload();
  const share = await offer(deleted);
  await call('DELETE', `/api/documents/${deleted}`, { token });
  const others: string[] = [];
  for (let count = 0; count < 5; count += 1) others.push(await upload());
  for (const id of others) await offer(id);
  t.match(await restore(deleted), { status: 409, body: { code: 'TOO_MANY_OFFERED_DOCUMENTS' } });

  const browser = await signInBrowser(test, user);
  await browser.open(`/app/${user.id}/documents/deleted`);
  await browser.send('/restore');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'shows five documents at most');

  const [first = ''] = others;
  await call('DELETE', `/api/documents/${first}`, { token });
  t.equal((await restore(deleted)).status, 200, 'there is room again');
  t.match(await restore(first), { status: 409 });
  await call('DELETE', `/api/documents/${deleted}/shares/${share.id}`, { token });
  t.equal((await restore(first)).status, 200, 'the link of another has ended');
});
