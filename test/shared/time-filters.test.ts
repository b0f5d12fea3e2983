import { uploadDocument } from '../features/documents/upload.ts';
import { startScans } from '../features/scans/helper.ts';
import { t } from '../tap.ts';

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];

const test = await startScans(t);
const { call, database, owner } = test;
const token = owner.accessToken;
const { client } = database;

async function listIds(path: string, query: string): Promise<string[]> {
  const { status, body } = await call('GET', `${path}?${query}`, { token });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map(({ id }: { id: string }) => id);
}

const create = async (path: string, body: object): Promise<string> =>
  (await call('POST', path, { token, body })).body.id;

t.test('lists have a half-open range of the time of creation', async (t) => {
  const [codes, tags, documents, conversations]: string[][] = [[], [], [], []];
  for (const day of DAYS) {
    const data = { createdAt: new Date(`${day}T12:00:00Z`) };
    const codeId = await create('/api/qrcodes', { kind: 'PET', title: day, data: { name: 'Rex' } });
    await client.qrCode.update({ where: { id: codeId }, data });
    codes?.push(codeId);
    const tagId = await create('/api/memory-tags', { name: day });
    await client.memoryTag.update({ where: { id: tagId }, data });
    tags?.push(tagId);
    const documentId = String((await uploadDocument(test, token)).body.id);
    await client.document.update({ where: { id: documentId }, data });
    documents?.push(documentId);
    const { scan, scanToken } = (await call('POST', '/api/scans/public', { body: { qrCodeId: codeId } }))
      .body;
    const { body } = await call('POST', '/api/conversations/public', {
      body: { scanId: scan.id, message: 'Found' },
      headers: { 'x-scan-token': scanToken },
    });
    await client.conversation.update({ where: { id: body.id }, data });
    conversations?.push(body.id);
  }
  for (const [path, ids] of Object.entries({
    '/api/qrcodes': codes,
    '/api/memory-tags': tags,
    '/api/documents': documents,
    '/api/conversations': conversations,
  })) {
    const [first, second, third] = ids ?? [];
    const list = async (query: string) => (await listIds(path, query)).toSorted();
    t.same(await list('createdFrom=2026-03-02&createdTo=2026-03-03'), [second], `${path}: a day`);
    t.same(await list('createdTo=2026-03-02T12:00:00Z'), [first], `${path}: to is exclusive`);
    const later = await list('createdFrom=2026-03-02T12:00:00Z&createdTo=2026-04-01');
    t.same(later, [second, third].toSorted(), `${path}: from is inclusive`);
    const { body } = await call('GET', `${path}?createdTo=2026-03-03&page=1`, { token });
    t.equal(body.pagination.total, 2, `${path}: total`);
    t.equal((await call('GET', `${path}?createdFrom=yesterday`, { token })).status, 400, path);
  }
});

t.test('a date is a day in the time zone of the user', async (t) => {
  const user = await test.createUser();
  const own = { token: user.accessToken };
  await call('PUT', `/api/auth/profile/${user.id}`, { ...own, body: { timeZone: 'Pacific/Auckland' } });
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await call('POST', '/api/qrcodes', { ...own, body })).body;
  await client.qrCode.update({ where: { id }, data: { createdAt: new Date('2026-03-01T23:00:00Z') } });
  const count = async (day: string) =>
    (await call('GET', `/api/qrcodes?createdFrom=${day}&page=1`, own)).body.pagination.total;
  t.same([await count('2026-03-02'), await count('2026-03-03')], [1, 0]);
});

t.test('codes have ranges of the last scan and of the expiry, documents of the expiry', async (t) => {
  const scanned = await create('/api/qrcodes', { kind: 'PET', title: 'Scanned', data: { name: 'Rex' } });
  await call('POST', '/api/scans/public', { body: { qrCodeId: scanned } });
  const never = await create('/api/qrcodes', {
    kind: 'PET',
    title: 'Never',
    data: { name: 'Rex' },
    expiresAt: '2999-05-01T12:00:00Z',
  });
  await client.scanCount.update({
    where: { qrCodeId: scanned },
    data: { lastScannedAt: new Date('2026-03-05T12:00:00Z') },
  });
  t.same(await listIds('/api/qrcodes', 'lastScannedTo=2026-03-06'), [scanned]);
  t.same(await listIds('/api/qrcodes', 'lastScannedFrom=2026-03-05&lastScannedTo=2026-03-05'), []);
  for (const sort of ['-lastScannedAt', 'scanCount', 'title'])
    t.same(
      await listIds('/api/qrcodes', `lastScannedFrom=2026-03-05&lastScannedTo=2026-03-06&sort=${sort}`),
      [scanned],
    );
  t.same(await listIds('/api/qrcodes', 'expiresFrom=2100-01-01'), [never]);
  t.same(await listIds('/api/qrcodes', 'expiresFrom=2100-01-01&lastScannedFrom=2026-01-01'), []);
  t.same(await listIds('/api/qrcodes', 'expiresTo=2100-01-01'), []);
  const document = (await uploadDocument(test, token, undefined, { expiresOn: '2999-05-01' })).body.id;
  t.same(await listIds('/api/documents', 'expiresFrom=2999-05-01&expiresTo=2999-05-02'), [document]);
  t.same(await listIds('/api/documents', 'expiresTo=2999-05-01'), []);
  t.same(await listIds('/api/documents', 'expiresFrom=0001-01-01'), [document]);
});

t.test('a bound in the year 0, which no calendar has, is an error of its parameter', async (t) => {
  const names = ['createdFrom', 'createdTo', 'expiresFrom', 'expiresTo'];
  for (const path of ['/api/qrcodes', '/api/documents'])
    for (const field of names)
      t.match(
        (await call('GET', `${path}?${field}=0000-01-01`, { token })).body,
        { status: 400, errors: [{ field }] },
        `${path} ${field}`,
      );
});
