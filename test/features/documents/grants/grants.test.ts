import { generateAbsentId, startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { createTestPdf, uploadDocument } from '../upload.ts';

t.test('grants a document to a user by email address', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const [ada, bob, eve] = [await createUser(), await createUser(), await createUser()];
  const token = ada.accessToken;
  const { body: document } = await uploadDocument(test, token, createTestPdf('the will'), { title: 'Will' });
  const grants = `/api/documents/${document.id}/grants`;
  const give = (email: string, headers = {}) => call('POST', grants, { token, body: { email }, headers });
  const listReceived = (reader: typeof bob) =>
    call('GET', '/api/documents/received', { token: reader.accessToken });
  let id = '';

  await t.test('returns the same response with and without an account', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const known = await give(bob.email.toUpperCase());
      const unknown = await give('nobody@example.net');
      t.equal(known.status, 201, known.text);
      t.equal(unknown.status, 201);
      t.same(Object.keys(known.body), Object.keys(unknown.body));
      t.same(Object.keys(known.headers).sort(), Object.keys(unknown.headers).sort());
      t.same((await call('GET', String(known.headers.location), { token })).body, known.body);
      t.match(known.body, { documentId: document.id, email: bob.email });
      id = known.body.id;
    });
    t.match(trail, [{ action: 'DOCUMENT_GRANTED' }, { action: 'DOCUMENT_GRANTED' }]);
    const notified = await database.client.notification.findMany({ where: { event: 'document.granted' } });
    t.match(notified, [{ userId: bob.id, data: { grantId: id } }]);
    t.equal(notified.length, 1);
    t.notMatch(JSON.stringify(notified), /Will|Ada/, 'nothing that the giver has written');
    t.equal((await give(bob.email)).body.id, id, 'given twice is given once');
    t.match((await give(ada.email)).body.errors, [{ field: 'email', code: 'NOT_ALLOWED' }]);
    t.match((await give('not an address')).body.errors, [{ field: 'email', code: 'BAD_FORMAT' }]);
    const row = await database.client.documentGrant.findUniqueOrThrow({ where: { id } });
    t.notOk(Buffer.from(row.email).includes(bob.email));
    t.match((await call('GET', grants, { token })).body, { pagination: { total: 2 } });
  });

  await t.test('lets the recipient read the document, and shows this to the owner', async (t) => {
    t.match((await listReceived(bob)).body.data, [
      { id, title: 'Will', contentType: 'application/pdf', version: 1, grantedBy: { name: 'Ada Lovelace' } },
    ]);
    const content = `/api/documents/received/${id}/content`;
    const trail = await captureAuditEntries(test, async () => {
      const read = await call('GET', content, { token: bob.accessToken });
      t.equal(read.text, createTestPdf('the will').toString());
      t.equal((await call('HEAD', content, { token: bob.accessToken })).status, 200);
    });
    t.match(trail, [{ action: 'GRANTED_DOCUMENT_READ', resourceId: document.id }]);
    t.equal(trail.length, 1, 'a HEAD is no reading');
    const { data } = (await call('GET', `/api/documents/${document.id}/accesses`, { token })).body;
    t.match(data, [{ reader: { name: 'Ada Lovelace' }, shareId: null, version: 1 }]);
    const notified = await database.client.notification.count({
      where: { userId: ada.id, event: 'document.opened' },
    });
    t.equal(notified, 1);
  });

  await t.test('returns the newest version', async (t) => {
    const form = Buffer.concat([
      Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="b.pdf"\r\n\r\n'),
      createTestPdf('the new will'),
      Buffer.from('\r\n--XX--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
    const added = await call('POST', `/api/documents/${document.id}/versions`, {
      token,
      body: form,
      headers,
    });
    t.equal(added.status, 201, added.text);
    const read = await call('GET', `/api/documents/received/${id}/content`, { token: bob.accessToken });
    t.equal(read.text, createTestPdf('the new will').toString());
  });

  await t.test('shows nothing to other users, and the reader does not own the document', async (t) => {
    t.same((await listReceived(eve)).body.data, []);
    for (const path of [`/api/documents/${document.id}`, `/api/documents/${document.id}/content`, grants])
      t.equal((await call('GET', path, { token: bob.accessToken })).status, 404, path);
    t.equal(await database.client.documentGrant.count(), 2);
  });

  await t.test('revokes a grant immediately, and lets the recipient decline it', async (t) => {
    const path = `/api/documents/received/${id}`;
    t.same((await call('DELETE', `${grants}/${id}`, { token })).body, { id, deleted: true });
    t.equal((await call('GET', `${path}/content`, { token: bob.accessToken })).status, 404);
    t.same((await listReceived(bob)).body.data, []);
    const again = (await give(bob.email)).body.id;
    const trail = await captureAuditEntries(test, async () => {
      const back = await call('DELETE', `/api/documents/received/${again}`, { token: bob.accessToken });
      t.same(back.body, { id: again, deleted: true });
    });
    t.match(trail, [{ action: 'DOCUMENT_GRANT_DECLINED', resourceId: document.id }]);
    t.match((await call('GET', grants, { token })).body.data, [{ email: 'nobody@example.net' }]);
  });

  await t.test('applies to an account that is created later', async (t) => {
    const late = await createUser({ email: 'nobody@example.net' });
    const { data } = (await listReceived(late)).body;
    t.match(data, [{ title: 'Will' }]);
    await database.client.user.update({ where: { id: ada.id }, data: { status: 'SUSPENDED' } });
    t.same((await listReceived(late)).body.data, [], 'nothing comes from whoever is suspended');
    await database.client.user.update({ where: { id: ada.id }, data: { status: 'ACTIVE' } });
  });

  await t.test('pages through received documents by cursor', async (t) => {
    for (const title of ['One', 'Two', 'Three']) {
      const { body } = await uploadDocument(test, token, createTestPdf(title), { title });
      await call('POST', `/api/documents/${body.id}/grants`, { token, body: { email: eve.email } });
    }
    const page = (cursor: string) =>
      call('GET', `/api/documents/received?limit=2&cursor=${cursor}`, { token: eve.accessToken });
    const first = (await page('start')).body;
    const second = (await page(first.pagination.nextCursor)).body;
    const titles = [...first.data, ...second.data].map((row: { title: string }) => row.title);
    t.same(titles, ['Three', 'Two', 'One']);
    t.equal(second.pagination.hasMore, false);
  });
});

t.test('limits the shares and grants of a document', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database, services } = test;
  const { accessToken: token, id: accountId } = await createUser();
  const { body: document } = await uploadDocument(test, token);
  const { count } = await database.client.documentShare.createMany({
    data: Array.from({ length: 99 }, () => {
      const id = generateAbsentId();
      return { id, accountId, documentId: document.id, tokenHash: services.fieldCipher.hash('test', id) };
    }),
  });
  t.equal(count, 99);
  const shares = `/api/documents/${document.id}/shares`;
  const made = await Promise.all([1, 2, 3].map(() => call('POST', shares, { token, body: {} })));
  t.same(made.map(({ status }) => status).sort(), [201, 409, 409]);
  t.match(made.find(({ status }) => status === 409)?.body, { code: 'TOO_MANY_SHARES' });
  await call('DELETE', `${shares}/${made.find(({ status }) => status === 201)?.body.id}`, { token });
  t.equal((await call('POST', shares, { token, body: {} })).status, 201, 'what has ended does not count');

  const data = Array.from({ length: 100 }, () => {
    const id = generateAbsentId();
    return {
      id,
      accountId,
      documentId: document.id,
      email: Buffer.from('x'),
      emailHash: services.fieldCipher.hash('test', id),
    };
  });
  await database.client.documentGrant.createMany({ data });
  const response = await call('POST', `/api/documents/${document.id}/grants`, {
    token,
    body: { email: 'a@example.org' },
  });
  t.match(response.body, { status: 409, code: 'TOO_MANY_SHARES' });
});
