import { startTestApp } from '../../helper.ts';
import { captureStatements } from '../../platform/capture-statements.ts';
import { t } from '../../tap.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';
import { createQrCodeClient, createTestCode, listAuditActions } from './code-helper.ts';

t.test('a list includes data and pictures of its codes, as reading each of them does', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const client = createQrCodeClient(app, user);
  const pet = await createTestCode(app, user);
  const { add, list } = createGalleryClient(app, user.accessToken, '/api/qrcodes');
  await add(pet.id, await createSolidPicture(40, 30).jpeg().toBuffer(), { caption: 'Asleep' });
  const medical = await createTestCode(app, user, { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } });
  await client('DELETE', `/${(await createTestCode(app, user)).id}`);

  const { data } = (await client('GET', '?include=data,pictures&sort=createdAt')).body;
  t.match(data, [
    { id: pet.id, data: pet.data, pictures: await list(pet.id) },
    { id: medical.id, data: { name: 'Ada' }, pictures: [] },
  ]);
  t.equal(data.length, 2);
  t.notOk('visibility' in data[0]);
  const readings = (await listAuditActions(app, medical.id)).filter(
    ({ action }) => action === 'MEDICAL_DATA_READ',
  );
  t.equal(readings.length, 1, 'audited as read');

  const [withData] = (await client('GET', '?include=data')).body.data;
  t.same([withData.data, withData.pictures], [{ name: 'Ada' }, undefined]);
  const [, withPictures] = (await client('GET', '?include=pictures&include=pictures')).body.data;
  t.same([withPictures.data, withPictures.pictures.length], [undefined, 1]);
  const changes = await client('GET', '?include=data&updatedSince=2026-01-01T00:00:00Z');
  if (changes.status === 200) t.match(changes.body.data, [{ data: {} }, { data: {} }]);
  const [deleted] = (await client('GET', '?include=data,pictures&status=DELETED')).body.data;
  t.notOk('data' in deleted, 'the content of a deleted code cannot be read');
  for (const include of ['visibility', 'data,', 'data,pictures,data'])
    t.match((await client('GET', `?include=${include}`)).body.errors, [{ field: 'include' }]);
  const other = createQrCodeClient(app, await app.createUser());
  t.same((await other('GET', '?include=data,pictures')).body.data, []);
});

t.test('browsers store a list of codes, but no content that it includes', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const client = createQrCodeClient(app, user);
  await createTestCode(app, user, { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } });
  const since = `updatedSince=${new Date(Date.now() - 60_000).toISOString()}`;
  for (const query of ['?', `?${since}&`]) {
    const plain = await client('GET', query);
    t.equal(plain.headers['cache-control'], 'private, no-cache');
    t.ok(plain.headers.etag);
    for (const include of ['data', 'pictures', 'data,pictures']) {
      const full = await client('GET', `${query}include=${include}`, undefined, { 'if-none-match': '*' });
      t.equal(full.status, 200);
      t.equal(full.headers['cache-control'], 'no-store', query + include);
      t.notOk('etag' in full.headers);
    }
  }
});

t.test('a deleted medical code, whose content is left out, is not audited as read', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const client = createQrCodeClient(app, user);
  const { id } = await createTestCode(app, user, { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } });
  await client('DELETE', `/${id}`);
  const since = `updatedSince=${new Date(Date.now() - 60_000).toISOString()}`;
  for (const query of [
    'include=data&status=DELETED',
    'include=pictures&status=DELETED',
    `include=data&${since}`,
  ])
    t.equal((await client('GET', `?${query}`)).status, 200, query);
  t.same(
    (await listAuditActions(app, id)).map(({ action }) => action),
    ['QRCODE_CREATED', 'QRCODE_DELETED'],
  );
});

t.test('a list with pictures alone loads no encrypted content', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const client = createQrCodeClient(app, user);
  await createTestCode(app, user);
  const readsData = async (include: string) => {
    const statements = await captureStatements(() => client('GET', `?include=${include}`));
    return statements.some(({ text }) => /\bqr_codes"?\."?data\b/.test(text));
  };
  t.equal(await readsData('data'), true);
  t.equal(await readsData('pictures'), false);
});

t.test('a list of 100 codes with content takes as many statements as one of two', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const user = await app.createUser();
  const client = createQrCodeClient(app, user);
  const code = { kind: 'TEXT', title: 'Note', data: { text: 'Hello' } };
  await client('POST', '/bulk', { items: Array.from({ length: 100 }, () => code) });
  // Images are drawn meanwhile.
  await app.services.jobs.stop();
  const count = async (limit: number) => {
    const statements = await captureStatements(async () => {
      const { data } = (await client('GET', `?include=data,pictures&limit=${limit}`)).body;
      t.equal(data.length, limit);
    });
    return statements.filter(({ text }) => /\b(?:qr_codes|pictures)\b/.test(text)).length;
  };
  t.equal(await count(100), await count(2));
});
