import { createPurgeQrCodesJob } from '../../../src/features/codes/purge-qrcodes.job.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import {
  addIptc,
  createPictureWithMetadata,
  createPngClaimingSize,
  createSolidPicture,
  createZip,
  METADATA_CANARIES,
} from '../files/pictures/hostile-pictures.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';
import { startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, code, createUser, database, services, owner } = test;
const token = owner.accessToken;
await setPackageLimit(test, 'FREE', { qrCodes: null });
const { add, list, get } = createGalleryClient(test, token, '/api/qrcodes');
const small = await createSolidPicture(40, 30).jpeg().toBuffer();
const readVersion = async (id: string) => (await call('GET', `/api/qrcodes/${id}`, { token })).body.version;
const countPictures = () => database.client.picture.count();

t.test('an owner adds, orders, describes and deletes pictures of a code', async (t) => {
  const id = await code();
  const url = `/api/qrcodes/${id}/pictures`;
  t.same(await list(id), []);
  const trail = await captureAuditEntries(test, async () => {
    const added = await add(id, small, { caption: 'Left ear folded' });
    t.match(added, {
      status: 201,
      headers: { location: `${url}/${added.body.id}` },
      body: { qrCodeId: id, caption: 'Left ear folded', position: 1, width: 40, height: 30, version: 1 },
    });
    t.equal(added.body.url, `https://qr.example.org${url}/${added.body.id}`);
    const second = await add(id, small);
    const moved = await call('PATCH', second.body.url, { token, body: { position: 1, caption: 'Asleep' } });
    t.match(moved, { status: 200, headers: { etag: '"2"' }, body: { position: 1, caption: 'Asleep' } });
    t.same(
      (await list(id)).map(({ caption, position }) => [position, caption]),
      [
        [1, 'Asleep'],
        [2, 'Left ear folded'],
      ],
    );
    t.equal(
      (await call('PUT', second.body.url, { token, body: {}, headers: { 'if-match': '"1"' } })).status,
      412,
    );
    t.equal((await call('PUT', second.body.url, { token, body: { position: 3 } })).status, 400);
    t.equal((await call('PUT', second.body.url, { token, body: { position: 11 } })).status, 400);
    const picture = await get(`${second.body.url}?w=320`, { accept: 'image/avif' });
    t.match(picture, { status: 200, headers: { 'content-type': 'image/avif' } });
    t.equal(
      (
        await get(`${second.body.url}?w=320`, {
          accept: 'image/avif',
          'if-none-match': `${picture.headers.etag}`,
        })
      ).status,
      304,
    );
    t.same((await call('DELETE', second.body.url, { token })).body, { id: second.body.id, deleted: true });
    t.equal((await get(second.body.url)).status, 404);
  });
  t.same(
    trail
      .filter(({ outcome }) => outcome === 'SUCCESS')
      .map(({ action, resourceId }) => [action, resourceId]),
    [
      ['QRCODE_PICTURE_ADDED', id],
      ['QRCODE_PICTURE_ADDED', id],
      ['QRCODE_PICTURE_UPDATED', id],
      ['QRCODE_PICTURE_DELETED', id],
    ],
  );
  t.match(await list(id), [{ position: 1, caption: 'Left ear folded' }]);
});

t.test(
  'each change of the pictures changes the version of the code, and a failed one does not',
  async (t) => {
    const id = await code();
    const { body } = await add(id, small);
    t.equal(await readVersion(id), 2);
    await call('PUT', body.url, { token, body: { caption: 'Rex' } });
    t.equal(await readVersion(id), 3);
    await call('PUT', body.url, { token, body: {}, headers: { 'if-match': '"1"' } });
    await call('DELETE', `/api/qrcodes/${id}/pictures/${id}`, { token });
    t.equal(await readVersion(id), 3);
    await call('DELETE', body.url, { token });
    t.equal(await readVersion(id), 4);
  },
);

t.test('only dynamic codes of a profile have pictures', async (t) => {
  const refused = {
    url: await code({ kind: 'URL', data: { url: 'https://example.org' } }),
    memorial: await code({ kind: 'MEMORY_TAG', data: { name: 'Erna' } }),
    fixed: await code({ mode: 'STATIC' }),
  };
  for (const [name, id] of Object.entries(refused)) {
    t.ok(isProblem(await add(id, small), 409, 'PICTURES_NOT_SUPPORTED'), name);
    t.same(await list(id), []);
  }
  for (const kind of ['MEDICAL', 'LUGGAGE', 'CAR', 'IDENTIFICATION', 'DOCUMENT'])
    t.equal((await add(await code({ kind, data: { name: 'Ada' } }), small)).status, 201, kind);
});

t.test('a picture is read by its own code only', async (t) => {
  const id = await code();
  const { body } = await add(id, small);
  const other = await code();
  t.equal((await get(`/api/qrcodes/${other}/pictures/${body.id}`)).status, 404, 'nor by another code');
  t.equal((await get(`/api/memory-tags/${id}/pictures/${body.id}`)).status, 404);
});

t.test('of eleven pictures at once, ten are added', async (t) => {
  const id = await code();
  const answers = [];
  // Four uploads of one account wait at most.
  for (let round = 0; round < 2; round += 1)
    answers.push(...(await Promise.all(Array.from({ length: 4 }, () => add(id, small)))));
  answers.push(...(await Promise.all(Array.from({ length: 3 }, () => add(id, small)))));
  t.equal(answers.filter(({ status }) => status === 201).length, 10);
  t.equal(answers.filter((answer) => isProblem(answer, 409, 'TOO_MANY_PICTURES')).length, 1);
  t.same(
    (await list(id)).map(({ position }) => position),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
});

t.test('one picture is added per Idempotency-Key', async (t) => {
  const id = await code();
  const headers = { 'idempotency-key': 'a-key-of-sixteen-characters' };
  const first = await add(id, small, {}, headers);
  const again = await add(id, small, {}, headers);
  t.same([again.body, again.headers['idempotency-replayed']], [first.body, 'true']);
  t.equal((await list(id)).length, 1);
  t.ok(isProblem(await add(await code(), small, {}, headers), 409, 'IDEMPOTENCY_KEY_REUSED'));
});

t.test('hostile files are rejected, and metadata is removed', async (t) => {
  const id = await code();
  const countFiles = () => database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } });
  const before = [await countPictures(), await countFiles()];
  const hostile: [string, Buffer | undefined, number][] = [
    ['nothing', undefined, 400],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400],
    ['an archive behind a picture', Buffer.concat([small, createZip()]), 400],
    ['a part of a picture', small.subarray(0, 200), 400],
    ['too many pixels', createPngClaimingSize(20_000, 20_000), 413],
  ];
  for (const [name, bytes, status] of hostile) t.equal((await add(id, bytes)).status, status, name);
  for (const caption of ['', 'x'.repeat(301), '\u202eturned', 'two\nlines'])
    t.equal((await add(id, small, { caption })).status, 400);
  t.same([await countPictures(), await countFiles()], before);
  const { body } = await add(id, addIptc(await createPictureWithMetadata('jpeg')));
  const { bytes } = await get(`${body.url}?w=2048`);
  for (const canary of METADATA_CANARIES) t.notOk(bytes.includes(canary), canary);
});

t.test('pictures count towards the storage quota, also of a deleted code until its purge', async (t) => {
  const { accessToken } = await createUser();
  const mine = createGalleryClient(test, accessToken, '/api/qrcodes');
  const made = await call('POST', '/api/qrcodes', {
    token: accessToken,
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  const first = await mine.add(made.body.id, small);
  const readUsage = async () =>
    (await call('GET', '/api/subscription/status', { token: accessToken })).body.usage.storageBytes;
  t.equal(await readUsage(), first.body.size);
  await setPackageLimit(test, 'FREE', { storageBytes: first.body.size * 2 - 1 });
  const refused = await mine.add(made.body.id, small);
  t.ok(isProblem(refused, 403, 'PLAN_LIMIT_REACHED'), refused.text);
  await setPackageLimit(test, 'FREE', { storageBytes: 104_857_600 });

  await call('DELETE', `/api/qrcodes/${made.body.id}`, { token: accessToken });
  t.equal((await mine.get(first.body.url)).status, 404);
  t.equal(await readUsage(), first.body.size);
  await call('POST', `/api/qrcodes/${made.body.id}/restore`, { token: accessToken });
  t.equal((await mine.get(first.body.url)).status, 200, 'restored with its pictures');
  await call('DELETE', `/api/qrcodes/${made.body.id}`, { token: accessToken });
  await database.client.qrCode.update({
    where: { id: made.body.id },
    data: { deletedAt: new Date(Date.now() - 31 * DAY_MS) },
  });
  await createPurgeQrCodesJob(services)({});
  t.equal(await readUsage(), 0);
  t.equal(await database.client.picture.count({ where: { id: first.body.id } }), 0);
  const files = await database.client.storedFile.groupBy({
    by: ['state'],
    where: { accountId: made.body.accountId },
  });
  t.notOk(
    files.some(({ state }) => state === 'STORED'),
    'with its sizes',
  );
});

t.test('codes beyond the package keep their pictures, which can only be deleted', async (t) => {
  const { accessToken } = await createUser();
  const mine = createGalleryClient(test, accessToken, '/api/qrcodes');
  const create = async () =>
    (
      await call('POST', '/api/qrcodes', {
        token: accessToken,
        body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
      })
    ).body.id;
  await create();
  const id = await create();
  const { body } = await mine.add(id, small);
  await setPackageLimit(test, 'FREE', { qrCodes: 1 });
  t.ok(isProblem(await mine.add(id, small), 403, 'PLAN_LIMIT_REACHED'));
  t.ok(
    isProblem(
      await call('PUT', body.url, { token: accessToken, body: { caption: 'Rex' } }),
      403,
      'PLAN_LIMIT_REACHED',
    ),
  );
  t.equal((await mine.get(body.url)).status, 200);
  t.equal((await call('DELETE', body.url, { token: accessToken })).status, 200);
  await setPackageLimit(test, 'FREE', { qrCodes: null });
});

t.test('reads of the pictures of a medical code are audited', async (t) => {
  const id = await code({ kind: 'MEDICAL', data: { name: 'Ada' } });
  const { body } = await add(id, small);
  const trail = await captureAuditEntries(test, async () => {
    await list(id);
    await get(body.url);
  });
  t.match(trail, [
    { action: 'MEDICAL_DATA_READ', resourceId: id },
    { action: 'MEDICAL_DATA_READ', resourceId: id },
  ]);
});
