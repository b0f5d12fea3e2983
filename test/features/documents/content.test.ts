import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { createNotifyExpiringDocumentsJob } from '../../../src/features/documents/document-expiry.job.ts';
import { startTestApp } from '../../helper.ts';
import { listenOnFreePort } from '../../platform/http/helper.ts';
import { t } from '../../tap.ts';
import { waitForDay } from '../../wait-for-day.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { enableSecondFactor } from '../identity/second-factor/helper.ts';
import { createOfficeFile } from './office.ts';
import { createTestPdf, uploadDocument } from './upload.ts';

const OOXML_DOCUMENT = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const test = await startTestApp(t);
const { call, createUser, database } = test;
const ada = await createUser();
const token = ada.accessToken;

const actionsOf = async (work: () => Promise<unknown>) =>
  (await captureAuditEntries(test, work)).map(({ action }) => action);

t.test('returns the right headers for ranges, conditions and HEAD', async (t) => {
  const content = createTestPdf('0123456789'.repeat(20_000));
  const { id } = (await uploadDocument(test, token, content)).body;
  const url = `/api/documents/${id}/content`;
  const whole = await call('GET', url, { token });
  t.equal(whole.text, content.toString());
  const etag = String(whole.headers.etag);
  t.match(etag, /^"[0-9a-f]{24}"$/);
  const get = (headers: Record<string, string>, method = 'GET') => call(method, url, { token, headers });

  for (const [first, last] of [
    [0, 0],
    [10, 99],
    [65_530, 65_545],
    [131_000, 200_010],
    [content.length - 5, content.length - 1],
  ] as const) {
    const part = await get({ range: `bytes=${first}-${last}`, 'if-range': etag });
    t.equal(part.status, 206);
    t.equal(part.text, content.subarray(first, last + 1).toString());
    t.equal(part.headers['content-range'], `bytes ${first}-${last}/${content.length}`);
    t.equal(part.headers['content-length'], String(last - first + 1));
  }
  for (const range of ['bytes=0-1,5-6', `bytes=${content.length}-`]) {
    const refused = await get({ range });
    t.match(refused, { status: 416, body: { code: 'RANGE_NOT_SATISFIABLE' } });
    t.equal(refused.headers['content-range'], `bytes */${content.length}`);
    t.notOk(refused.headers['content-disposition']);
  }
  const known = await get({ 'if-none-match': etag });
  t.same([known.status, known.text, known.headers['content-length']], [304, '', undefined]);
  t.equal((await get({ 'if-match': '"other"' })).body.code, 'PRECONDITION_FAILED');
  t.equal((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
  const requested: Record<string, string>[] = [{}, { range: 'bytes=0-1' }, { 'if-none-match': etag }];
  for (const headers of requested) {
    const head = await get(headers, 'HEAD');
    t.equal(head.text, '');
    t.equal(head.status, 'if-none-match' in headers ? 304 : 200);
    t.equal(head.headers['cache-control'], 'no-store');
    if (head.status === 200)
      t.match(head.headers, { 'content-length': String(content.length), 'accept-ranges': 'bytes', etag });
  }
  t.equal((await call('GET', `${url}?version=0`, { token })).status, 400);
  t.equal((await call('GET', `${url}?version=2`, { token })).status, 404);
});

t.test('serves pictures, PDF and text inline, in a sandbox', async (t) => {
  const image = sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } });
  for (const [bytes, type, disposition] of [
    [createTestPdf(), 'application/pdf', 'inline'],
    [await image.png().toBuffer(), 'image/png', 'inline'],
    [Buffer.from('hello'), 'text/plain; charset=utf-8', 'inline'],
    [await createOfficeFile('word/document.xml'), OOXML_DOCUMENT, 'attachment'],
  ] as const) {
    const { id } = (await uploadDocument(test, token, bytes, { fileName: 'a.html' })).body;
    const response = await call('GET', `/api/documents/${id}/content?inline=true`, { token });
    t.equal(response.headers['content-type'], type);
    t.match(
      response.headers['content-disposition'],
      new RegExp(`^${disposition}; filename="a\\.html\\.\\w+"$`),
    );
    t.match(response.headers['content-security-policy'], /default-src 'none';.* sandbox;/);
    t.equal(response.headers['x-content-type-options'], 'nosniff');
    await call('DELETE', `/api/documents/${id}?permanent=true`, { token });
  }
});

t.test('shows text as UTF-8 and downloads the original bytes', async (t) => {
  const text = 'Name;Größe;Preis\r\nŽižek;„1“;5 €\r\n';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const windows = Buffer.from(
    text.replace(/[Žž„“€]/g, (one) =>
      String.fromCharCode({ Ž: 0x8e, ž: 0x9e, '„': 0x84, '“': 0x93 }[one] ?? 0x80),
    ),
    'latin1',
  );
  for (const [encoding, bytes] of Object.entries({
    'utf-16': utf16,
    'UTF-16': Buffer.from(utf16).swap16(),
    'windows-1252': windows,
  })) {
    const uploaded = await uploadDocument(test, token, bytes, { fileName: 'liste.csv' });
    const original = `text/plain; charset=${encoding.toLowerCase()}`;
    t.match(uploaded, { status: 201, body: { contentType: original, fileName: 'liste.csv' } });
    const url = `/api/documents/${uploaded.body.id}/content`;
    const download = await test.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    t.ok(download.rawPayload.equals(bytes));
    t.equal(download.headers['content-type'], original);
    t.match(download.headers['content-disposition'], /^attachment/);
    const preview = await call('GET', `${url}?inline=true`, { token, headers: { range: 'bytes=0-3' } });
    t.equal(preview.status, 200, 'a range of what is converted is all of it');
    t.equal(preview.text, text);
    t.match(preview.headers, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': /^inline/,
      'accept-ranges': 'none',
      'x-content-type-options': 'nosniff',
    });
    t.not(preview.headers.etag, download.headers.etag);
    const head = await call('HEAD', `${url}?inline=true`, { token });
    t.same([head.status, head.text, head.headers['content-type']], [200, '', 'text/plain; charset=utf-8']);
    const known = { 'if-none-match': String(preview.headers.etag) };
    t.equal((await call('GET', `${url}?inline=true`, { token, headers: known })).status, 304);
    t.equal((await call('GET', url, { token, headers: known })).status, 200);
    await call('DELETE', `/api/documents/${uploaded.body.id}?permanent=true`, { token });
  }
});

t.test('audits each access once: a full response, or all ranges within five minutes', async (t) => {
  const { id } = (await uploadDocument(test, token)).body;
  const url = `/api/documents/${id}/content`;
  const read = (headers: Record<string, string> = {}, by = token, method = 'GET') =>
    call(method, url, { token: by, headers });
  const READ = 'DOCUMENT_READ';
  t.same(
    await actionsOf(async () => {
      for (const range of ['bytes=5-9', 'bytes=0-1', 'bytes=10-']) await read({ range });
    }),
    [READ],
    'of ranges the first, wherever it begins',
  );
  t.same(await actionsOf(() => read()), [READ]);
  t.same(await actionsOf(() => read()), [READ]);
  const { body } = await call('POST', '/api/auth/login', {
    body: { email: ada.email, password: 'correct horse battery staple' },
  });
  t.same(
    (await actionsOf(() => read({ range: 'bytes=0-1' }, body.accessToken))).filter((one) => one === READ),
    [READ],
    'another session is another reader',
  );
  t.same(
    await actionsOf(async () => {
      const { etag } = (await read({}, token, 'HEAD')).headers;
      await read({ 'if-none-match': String(etag) });
      await read({ range: 'bytes=99999-' });
      await read({ 'if-match': '"x"' });
    }),
    [],
    'what shows nothing is none',
  );
});

t.test('audits access to the metadata of a health document, and lists in enterprise mode', async (t) => {
  const grace = await createUser();
  const by = { token: grace.accessToken };
  const health = (await uploadDocument(test, by.token, createTestPdf(), { kind: 'HEALTH', note: 'A+' })).body
    .id;
  const other = (await uploadDocument(test, by.token)).body.id;
  const read = (path: string) => () => call('GET', `/api/documents${path}`, by);
  const VIEWED_ACTION = 'HEALTH_DOCUMENT_VIEWED';
  t.same(await actionsOf(read(`/${health}`)), [VIEWED_ACTION]);
  t.same(await actionsOf(read(`/${health}/versions`)), [VIEWED_ACTION]);
  t.same(await actionsOf(read(`/${other}`)), []);
  t.same(await actionsOf(read('')), []);
  await database.client.user.update({ where: { id: grace.id }, data: { enterpriseMode: true } });
  await enableSecondFactor(test, grace);
  const listed = await captureAuditEntries(test, read(''));
  t.match(listed, [{ action: 'HEALTH_DOCUMENT_LISTED', resourceId: health }]);
  t.equal(listed.length, 1);
});

t.test('aborts the download of an altered file, and writes a CRITICAL audit entry', async (t) => {
  const port = await listenOnFreePort(test.app);
  const { id } = (await uploadDocument(test, token, createTestPdf('x'.repeat(300_000)))).body;
  const file = await database.client.storedFile.findFirstOrThrow({ where: { versions: { documentId: id } } });
  const path = join(test.services.config.dataDir, 'files', file.name.slice(0, 2), file.name);
  const bytes = await readFile(path);
  bytes[200_000] = 255 - (bytes[200_000] ?? 0);
  await writeFile(path, bytes);
  const get = (range: string) =>
    fetch(`http://127.0.0.1:${port}/api/documents/${id}/content`, {
      headers: { authorization: `Bearer ${token}`, range },
    }).then((answer) => answer.arrayBuffer());
  t.equal((await get('bytes=0-99999')).byteLength, 100_000, 'what is whole is read');
  const trail = await captureAuditEntries(test, async () => {
    await t.rejects(get('bytes=0-'));
    await wait(100);
  });
  t.match(trail, [
    {
      action: 'DATA_INTEGRITY_FAILED',
      severity: 'CRITICAL',
      resourceId: file.id,
      changes: ['stored_files.file_key'],
    },
  ]);
  t.equal(trail.length, 1);
});

t.test('rejects access to a version that waits for its malware check', async (t) => {
  const { id } = (await uploadDocument(test, token)).body;
  await database.pool.query("UPDATE document_versions SET malware_check = 'WAITING' WHERE document_id = $1", [
    id,
  ]);
  const refused = await call('GET', `/api/documents/${id}/content`, { token });
  t.match(refused, { status: 409, body: { code: 'FILE_CHECK_PENDING' } });
  await call('DELETE', `/api/documents/${id}?permanent=true`, { token });
});

t.test('notifies owners once 30 days before a document expires, and once on the day', async (t) => {
  await waitForDay();
  const grace = await createUser();
  const by = grace.accessToken;
  await database.pool.query(`UPDATE subscription_packages SET limits = limits || '{"documents": 50}'`);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  for (const days of [-40, -3, 0, 15, 40])
    await uploadDocument(test, by, createTestPdf(), { title: `in ${days}`, expiresOn: inDays(days) });
  const job = createNotifyExpiringDocumentsJob(test.services);
  await Promise.all([job({}), job({})]);
  await job({});
  const notified = () =>
    database.client.notification.findMany({
      where: { userId: grace.id, event: { startsWith: 'document.' } },
      orderBy: { event: 'asc' },
    });
  t.match(await notified(), [
    { event: 'document.expired', data: { document: 'in 0' } },
    { event: 'document.expiring', data: { document: 'in 15' } },
  ]);
  t.equal((await notified()).length, 2);
  const list = await call('GET', '/api/notifications', { token: by });
  const expiring = list.body.data.find(({ event }: { event: string }) => event === 'document.expiring');
  t.match(expiring, {
    title: '“in 15” expires soon',
    body: /^Your document “in 15” is valid until \w+ \d+, \d{4}\.$/,
  });
});
