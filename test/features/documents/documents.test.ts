import { DOCUMENT_SORTS } from '../../../src/features/documents/document-list.repository.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createTestPdf, sendMultipartForm, uploadDocument } from './upload.ts';

t.test('uploads, reads, lists, updates and deletes a document', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const bob = await createUser();
  const token = ada.accessToken;
  const content = createTestPdf('the passport');

  let id = '';
  await t.test('uploads a document', async (t) => {
    const fields = { title: 'Passport', kind: 'PASSPORT', note: 'Second drawer', expiresOn: '2031-05-17' };
    const trail = await captureAuditEntries(test, async () => {
      const made = await uploadDocument(test, token, content, {
        ...fields,
        fileName: 'C:\\scans\\Reise päss.pdf',
      });
      t.equal(made.status, 201, made.text);
      t.match(made.body, {
        ...fields,
        accountId: ada.id,
        contentType: 'application/pdf',
        size: content.length,
        fileName: 'Reise päss.pdf',
        versionCount: 1,
        currentVersion: 1,
        shareCount: 0,
        readOnly: false,
        version: 1,
      });
      t.equal(made.headers.location, `/api/documents/${made.body.id}`);
      id = made.body.id;
    });
    t.same(
      trail.map((entry) => [entry.action, entry.resourceId]),
      [['DOCUMENT_CREATED', id]],
    );
  });

  await t.test('accepts fields after the file, and uses the file name as default title', async (t) => {
    const file = { name: 'file', fileName: 'Lease 2026.pdf', value: createTestPdf() };
    const made = await sendMultipartForm(test, '/api/documents', token, [
      file,
      { name: 'kind', value: 'CONTRACT' },
    ]);
    t.match(made.body, { title: 'Lease 2026.pdf', kind: 'CONTRACT', note: null, expiresOn: null });
  });

  await t.test('returns the uploaded content', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const answer = await call('GET', `/api/documents/${id}/content`, { token });
      t.equal(answer.status, 200);
      t.equal(answer.text, content.toString());
      t.match(answer.headers, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="Reise p_ss.pdf"; filename*=UTF-8''Reise%20p%C3%A4ss.pdf`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': /sandbox/,
        'content-length': String(content.length),
      });
    });
    t.match(trail, [{ action: 'DOCUMENT_READ', resourceId: id }]);
  });

  await t.test('stores nothing in plaintext', async (t) => {
    const { rows } = await database.pool.query('SELECT note, file_name FROM documents, document_versions');
    for (const row of rows) t.notMatch(JSON.stringify(Object.values(row).map(String)), /drawer|Reise/);
  });

  await t.test('lists, searches and sorts documents without encrypted fields', async (t) => {
    const list = await call('GET', '/api/documents?search=PASS', { token });
    t.match(list.body, { data: [{ id, title: 'Passport' }], pagination: { total: 1 } });
    t.notOk('note' in list.body.data[0] || 'fileName' in list.body.data[0]);
    const sorted = await call('GET', '/api/documents?sort=expiresOn', { token });
    t.same(
      sorted.body.data.map((row: { title: string }) => row.title),
      ['Passport', 'Lease 2026.pdf'],
    );
    for (const sort of DOCUMENT_SORTS) {
      const { body } = await call('GET', `/api/documents?sort=${sort}`, { token });
      const titles = body.data.map((row: { title: string }) => row.title);
      const isReversed = ['-createdAt', '-updatedAt', 'title'].includes(sort);
      t.same(titles, isReversed ? ['Lease 2026.pdf', 'Passport'] : ['Passport', 'Lease 2026.pdf'], sort);
    }
    t.equal((await call('GET', '/api/documents?kind=CONTRACT', { token })).body.pagination.total, 1);
    t.equal((await call('GET', '/api/documents?kind=LETTER', { token })).status, 400);
    t.equal((await call('GET', '/api/documents', { token: bob.accessToken })).body.pagination.total, 0);
  });

  await t.test('updates fields: omitted ones stay, null clears', async (t) => {
    const body = { note: null, kind: 'IDENTITY' };
    const trail = await captureAuditEntries(test, async () => {
      const put = await call('PUT', `/api/documents/${id}`, { token, body, headers: { 'if-match': '"1"' } });
      t.match(put.body, {
        title: 'Passport',
        note: null,
        kind: 'IDENTITY',
        expiresOn: '2031-05-17',
        version: 2,
      });
      t.equal(put.headers.etag, '"2"');
    });
    t.match(trail, [{ action: 'DOCUMENT_UPDATED', resourceId: id, changes: ['note', 'kind'] }]);
    const stale = await call('PATCH', `/api/documents/${id}`, {
      token,
      body,
      headers: { 'if-match': '"1"' },
    });
    t.equal(stale.body.code, 'PRECONDITION_FAILED');
  });

  await t.test('deletes a document for good with its file', async (t) => {
    const files = await database.client.storedFile.findMany({ where: { versions: { documentId: id } } });
    t.equal(files.length, 1);
    const trail = await captureAuditEntries(test, async () => {
      const gone = await call('DELETE', `/api/documents/${id}?permanent=true`, { token });
      t.same(gone.body, { id, deleted: true });
    });
    t.match(trail, [{ action: 'DOCUMENT_PURGED', resourceId: id }]);
    t.equal((await call('GET', `/api/documents/${id}`, { token })).status, 404);
    t.equal((await call('GET', `/api/documents/${id}/content`, { token })).status, 404);
    t.equal((await call('POST', `/api/documents/${id}/restore`, { token })).status, 404);
    const file = await database.client.storedFile.findFirst({ where: { id: files[0]?.id ?? '' } });
    t.notOk(file?.fileKey, 'its key is gone with the document');
  });
});

t.test('a document has an id and metadata of its owner', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { accessToken: token } = await createUser();
  const upload = (fields: Record<string, string>) => uploadDocument(test, token, createTestPdf(), fields);
  const listTitles = async (query: string) =>
    (await call('GET', `/api/documents?${query}`, { token })).body.data.map(
      ({ title }: { title: string }) => title,
    );

  const made = await upload({ title: 'Lease', externalId: 'c/1', metadata: '{"site":"Kiel"}' });
  t.match(made, { status: 201, body: { externalId: 'c/1', metadata: { site: 'Kiel' } } }, made.text);
  t.match((await upload({ title: 'Plan' })).body, { externalId: null, metadata: {} });
  t.match(await upload({ externalId: 'c/1' }), { status: 409, body: { code: 'EXTERNAL_ID_TAKEN' } });
  t.match(await upload({ metadata: '{' }), { status: 400, body: { code: 'MALFORMED_BODY' } });
  t.match(await upload({ metadata: '{"a":1}' }), { status: 400, body: { code: 'VALIDATION_FAILED' } });
  t.same(await listTitles('externalId=c/1'), ['Lease']);
  t.same(await listTitles('metadata=site:Kiel'), ['Lease']);
  t.same(await listTitles('metadata=site:Bonn'), []);
  const body = { externalId: null, metadata: { site: null, floor: '2' } };
  const changed = await call('PATCH', `/api/documents/${made.body.id}`, { token, body });
  t.match(changed, { status: 200, body: { title: 'Lease', externalId: null } });
  t.same(changed.body.metadata, { floor: '2' });
  const repeated = await call('PUT', `/api/documents/${made.body.id}`, {
    token,
    body: { title: 'Lease', note: null },
  });
  t.match(repeated.body, { version: changed.body.version, updatedAt: changed.body.updatedAt });
});

t.test('a client learns which documents were changed and deleted since a time', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { accessToken: token } = await createUser();
  const since = new Date(Date.now() - 60_000).toISOString();
  const upload = async (title: string): Promise<string> =>
    (await uploadDocument(test, token, createTestPdf(), { title })).body.id;
  const ids = [await upload('a'), await upload('b'), await upload('c')];
  await call('DELETE', `/api/documents/${ids[0]}`, { token });
  await call('PATCH', `/api/documents/${ids[1]}`, { token, body: { title: 'B' } });
  await call('DELETE', `/api/documents/${ids[2]}`, { token });
  const changes: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/api/documents?limit=1&updatedSince=${since}${cursor}`, { token });
    changes.push(...body.data.map(({ title }: { title: string }) => title));
    changes.push(...body.deleted.map(({ id }: { id: string }) => id));
    if (!body.pagination.hasMore) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  t.same(changes, [ids[0], 'B', ids[2]]);
  const other = await createUser();
  const { body } = await call('GET', `/api/documents?updatedSince=${since}`, { token: other.accessToken });
  t.match(body, { data: [], deleted: [], pagination: { hasMore: false } });
});
