import sharp from 'sharp';
import { purgeDeletedPictures } from '../../../src/features/files/pictures/delete-picture.use-case.ts';
import { createServices } from '../../../src/services.ts';
import { generateAbsentId, startTestApp, TEST_SECRETS } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import {
  createPictureWithMetadata,
  createPngClaimingSize,
  createSolidPicture,
} from '../files/pictures/hostile-pictures.ts';
import { isProblem, queryDatabase } from '../identity/accounts/helper.ts';
import { createGalleryClient, createPictureForm } from './gallery-helper.ts';

const test = await startTestApp(t);
const { call, createUser, services, database } = test;
const ada = await createUser();
const token = ada.accessToken;
await queryDatabase(test, `UPDATE subscription_packages SET limits = limits || '{"memoryTags": null}'`);
const { add, list, get } = createGalleryClient(test, token);
const newTag = async (name: string) =>
  (await call('POST', '/api/memory-tags', { token, body: { name } })).body.id as string;
const tagId = await newTag('Erna');
const small = await createSolidPicture(40, 30).jpeg().toBuffer();

/** List files that a row refers to. */
const stored = async () =>
  (await queryDatabase(test, "SELECT id FROM stored_files WHERE state = 'STORED'")).length;

t.test('adds, lists, reorders and deletes pictures', async (t) => {
  const id = await newTag('Katharina');
  t.same(await list(id), []);
  const trail = await captureAuditEntries(test, async () => {
    const made = await add(id, small, { caption: 'In the gärden' });
    t.equal(made.status, 201, made.text);
    t.match(made.body, {
      memoryTagId: id,
      caption: 'In the gärden',
      position: 1,
      width: 40,
      height: 30,
      version: 1,
    });
    t.equal(made.headers.location, `/api/memory-tags/${id}/pictures/${made.body.id}`);
    t.equal(made.body.url, `https://qr.example.org${made.headers.location}`);
  });
  t.match(trail, [{ action: 'PICTURE_ADDED', resourceId: id }]);
  for (const caption of ['two', 'three', 'four']) await add(id, small, { caption });
  const order = async () => (await list(id)).map(({ caption }) => caption);
  const place = async (caption: string) => (await list(id)).find((one) => one.caption === caption);
  const put = async (caption: string, body: object, headers = {}) =>
    call('PUT', `/api/memory-tags/${id}/pictures/${(await place(caption))?.id}`, { token, body, headers });

  const moved = await put('four', { position: 1 });
  t.match(moved.body, { caption: 'four', position: 1, version: 2 });
  t.equal(moved.headers.etag, '"2"');
  t.same(await order(), ['four', 'In the gärden', 'two', 'three']);
  await put('four', { position: 3, caption: 'last but one' });
  t.same(await order(), ['In the gärden', 'two', 'last but one', 'three']);
  t.equal((await put('two', { position: 5 })).status, 400, 'behind the last');
  t.equal((await put('two', { position: 0 })).status, 400);
  t.equal((await put('two', { caption: 'new' }, { 'if-match': '"9"' })).status, 412);
  t.match((await put('two', { caption: null })).body, { caption: null, position: 2 });
  t.equal((await put('three', { caption: '\u202eturned' })).status, 400);
  t.equal((await put('three', { caption: '' })).status, 400);

  const before = await stored();
  const gone = (await list(id))[1];
  const url = `/api/memory-tags/${id}/pictures/${gone?.id}`;
  await get(`${url}?w=320`);
  t.equal(await stored(), before + 1);
  const readUsage = async () => (await call('GET', '/api/auth/me', { token })).body.usage.storageBytes;
  const usage = await readUsage();
  t.match((await call('DELETE', url, { token })).body, { id: gone?.id, deleted: true });
  t.equal(await stored(), before, 'the size made of it is given up');
  t.equal(await readUsage(), usage, 'its file counts until it is removed');
  t.equal((await get(url)).status, 404);
  const restored = await call('POST', `${url}/restore`, { token });
  t.match(restored, { status: 200, body: { id: gone?.id, position: 2, caption: gone?.caption } });
  t.equal((await call('POST', `${url}/restore`, { token })).status, 404, 'it is not deleted');
  t.equal((await list(id))[1]?.id, gone?.id, 'where it was');
  t.equal((await get(`${url}?w=320`)).status, 200, 'its smaller sizes are drawn again');
  await call('DELETE', url, { token });
  const lastUrl = `/api/memory-tags/${id}/pictures/${(await list(id)).at(-1)?.id}`;
  await call('DELETE', lastUrl, { token });
  t.match((await call('POST', `${lastUrl}/restore`, { token })).body, { position: 3 });
  t.match((await call('POST', `${url}/restore`, { token })).body, { position: 2 });
  await call('DELETE', url, { token });
  t.equal((await call('DELETE', `${url}?permanent=true`, { token })).status, 200);
  t.equal(await stored(), before - 1, 'its file is given up');
  t.ok((await readUsage()) < usage);
  t.equal((await call('POST', `${url}/restore`, { token })).status, 404);
  t.same(
    (await list(id)).map(({ position }) => position),
    [1, 2, 3],
  );
  t.equal((await call('DELETE', url, { token })).status, 404);
  t.equal((await get(url)).status, 404);
  await call('DELETE', `/api/memory-tags/${id}`, { token });
  t.equal(await stored(), before - 4, 'with the tag all of them');
});

t.test('serializes parallel changes of the order, without gaps', async (t) => {
  const id = await newTag('Order');
  for (let index = 0; index < 6; index += 1) await add(id, small, { caption: `${index}` });
  const pictures = await list(id);
  const answers = await Promise.all([
    ...pictures.map(({ id: picture }, index) =>
      call('PUT', `/api/memory-tags/${id}/pictures/${picture}`, {
        token,
        body: { position: ((index * 5) % 6) + 1 },
      }),
    ),
    add(id, small),
    call('DELETE', `/api/memory-tags/${id}/pictures/${pictures[3]?.id}`, { token }),
  ]);
  t.ok(
    answers.every(({ status }) => [200, 201, 400, 404].includes(status)),
    answers.map(({ status }) => status).join(),
  );
  t.same(
    (await list(id)).map(({ position }) => position),
    [1, 2, 3, 4, 5, 6],
  );
});

t.test('removes the location from a hundred pictures', async (t) => {
  const words = ['canary', 'GPSLatitude', 'Exif', 'http://ns.adobe.com', '8BIM', 'ICC_PROFILE'];
  const id = await newTag('Places');
  const ofAll: string[] = [];
  for (let index = 0; index < 100; index += 1) {
    const format = (['jpeg', 'png', 'webp', 'avif'] as const)[index % 4] ?? 'jpeg';
    const made = await add(id, await createPictureWithMetadata(format, 30 + index, 40));
    t.equal(made.status, 201, made.text);
    ofAll.push(made.body.url);
  }
  t.ok(isProblem(await add(id, small), 409, 'TOO_MANY_PICTURES'), 'and a hundred are all there can be');
  const found: string[] = [];
  for (const [index, url] of ofAll.entries()) {
    // Each input format is combined with each output format.
    const accept = ['image/jpeg', 'image/webp', 'image/avif'][index % 3] ?? '';
    const { status, bytes, headers } = await get(`${url}?w=320`, { accept });
    if (status !== 200 || headers['content-type'] !== accept) found.push(`${url} ${accept}: ${status}`);
    for (const word of words) if (bytes.includes(word)) found.push(`${accept}: ${word}`);
  }
  t.same(found, []);
  await call('DELETE', `/api/memory-tags/${id}`, { token });
});

t.test('serves a picture in the requested width and format, with conditional requests', async (t) => {
  const { body } = await add(tagId, await createSolidPicture(1_500, 1_000).jpeg().toBuffer());
  const avif = await get(`${body.url}?w=640`, { accept: 'image/avif,image/webp,*/*;q=0.8' });
  t.match(avif.headers, {
    'content-type': 'image/avif',
    vary: /Accept/,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-length': String(avif.bytes.length),
  });
  t.match(await sharp(avif.bytes).metadata(), { format: 'heif', width: 640, height: 427 });
  const jpeg = await get(body.url);
  t.equal(jpeg.headers['content-type'], 'image/jpeg');
  t.match(await sharp(jpeg.bytes).metadata(), { format: 'jpeg', width: 1_280 });
  t.match(
    await sharp((await get(`${body.url}?w=2048`)).bytes).metadata(),
    { width: 1_500 },
    'and none is made larger',
  );
  const etag = String(jpeg.headers.etag);
  t.not(etag, avif.headers.etag);
  for (const header of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
    const again = await get(body.url, { 'if-none-match': header });
    t.match(
      { ...again, size: again.bytes.length },
      { status: 304, size: 0, headers: { etag, vary: /Accept/ } },
      header,
    );
  }
  t.equal((await get(body.url, { 'if-none-match': String(avif.headers.etag) })).status, 200);
  const head = await get(body.url, {}, 'HEAD');
  t.match(head, { status: 200, headers: { etag, 'content-length': String(jpeg.bytes.length) } });
  t.equal(head.bytes.length, 0);
  for (const w of ['321', '0', '-320', '320.5', '1e3', '99999999999', 'x', '320&w=640'])
    t.equal((await get(`${body.url}?w=${w}`)).status, 400, w);
  t.equal((await get(`${body.url}?w=`)).status, 200, 'the usual width where none is given');
});

t.test('renders a size once for parallel requests of several processes', async (t) => {
  const { body } = await add(tagId, await createSolidPicture(900, 600).jpeg().toBuffer());
  // Another process: the same database and files, with services of its own.
  const other = createServices({
    config: services.config,
    secrets: TEST_SECRETS,
    database,
    log: { info() {}, warn() {}, error() {} },
  });
  const picture = await database.client.picture.findUniqueOrThrow({ where: { id: body.id } });
  const wanted = { width: 640, format: 'avif', requester: '192.0.2.0' } as const;
  const storeCalls = [services, other].map(({ files }) => t.capture(files, 'store', files.store));
  const answers = await Promise.all([
    ...Array.from({ length: 50 }, () => services.renditions.getRendition(picture, wanted)),
    ...Array.from({ length: 50 }, () => other.renditions.getRendition(picture, wanted)),
  ]);
  t.equal(new Set(answers.map(({ fileId }) => fileId)).size, 1);
  t.equal(storeCalls.flatMap((calls) => calls()).length, 1, 'nothing was drawn for nothing');
});

t.test('resumes rendering after a crash', async (t) => {
  const { body } = await add(tagId, small);
  const claim = (age: number) =>
    queryDatabase(
      test,
      `INSERT INTO picture_renditions (picture_id, width, format, claim, claimed_at)
       VALUES ($1, 320, 'jpeg', 'killed', now() - make_interval(secs => $2))`,
      ...[body.id, age],
    );
  await claim(60);
  t.equal((await get(`${body.url}?w=320`)).status, 200);
  const rows = await queryDatabase(
    test,
    'SELECT file_id FROM picture_renditions WHERE picture_id = $1',
    body.id,
  );
  t.equal(rows.length, 1);
  t.ok(rows[0].file_id);
});

t.test('leaves no file of a picture deleted during rendering', async (t) => {
  const id = await newTag('Race');
  const before = await stored();
  for (let round = 0; round < 5; round += 1) {
    const { body } = await add(id, await createSolidPicture(1_200, 900).jpeg().toBuffer());
    const [drawn, deleted] = await Promise.all([
      get(`${body.url}?w=640`, { accept: 'image/avif' }),
      call('DELETE', `${body.url}?permanent=true`, { token }),
    ]);
    t.ok([200, 404].includes(drawn.status), String(drawn.status));
    t.equal(deleted.status, 200);
    t.equal((await get(`${body.url}?w=640`)).status, 404);
  }
  t.equal(await stored(), before);
});

t.test('adds one picture per Idempotency-Key, and rejects another one with it', async (t) => {
  const id = await newTag('Once');
  const headers = { 'idempotency-key': 'a-key-of-sixteen-characters' };
  const answers = await Promise.all([1, 2, 3].map(() => add(id, small, { caption: 'a' }, headers)));
  t.equal(new Set(answers.filter(({ status }) => status === 201).map((one) => one.body.id)).size, 1);
  const again = await add(id, small, { caption: 'a' }, headers);
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.equal((await list(id)).length, 1);
  const other = await createSolidPicture(41, 31).jpeg().toBuffer();
  t.ok(isProblem(await add(id, other, { caption: 'a' }, headers), 409, 'IDEMPOTENCY_KEY_REUSED'));
});

t.test('rejects invalid pictures and other users without storing anything', async (t) => {
  const id = await newTag('Refused');
  const before = await stored();
  const refused: [Buffer | undefined, number][] = [
    [undefined, 400],
    [Buffer.alloc(0), 400],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400],
    [small.subarray(0, 200), 400],
    [createPngClaimingSize(20_000, 20_000), 413],
    [Buffer.alloc(20_000_001, 0xff), 413],
  ];
  for (const [picture, status] of refused) {
    const answer = await add(id, picture);
    t.equal(answer.status, status, answer.text.slice(0, 200));
    if (status === 400) t.match(answer.body.errors, [{ field: 'picture' }]);
  }
  t.equal((await add(id, small, { caption: 'x'.repeat(301) })).status, 400);
  t.equal((await add(generateAbsentId(), small)).status, 404);
  t.equal(await stored(), before);
  t.same(await queryDatabase(test, "SELECT id FROM stored_files WHERE state = 'WRITING'"), []);
  t.same(await list(id), []);

  const { body } = await add(id, small);
  const own = await newTag('Own');
  t.equal((await get(`/api/memory-tags/${own}/pictures/${body.id}`)).status, 404, 'nor by another tag');
  const wrong = createPictureForm(small, {}, 'file');
  t.equal((await call('POST', `/api/memory-tags/${id}/pictures`, { token, ...wrong })).status, 400);
});

t.test('accepts parallel uploads or asks to retry', async (t) => {
  const id = await newTag('Many');
  const large = await createSolidPicture(3_000, 2_000).png().toBuffer();
  const answers = await Promise.all(Array.from({ length: 16 }, () => add(id, large)));
  const tally = (status: number) => answers.filter((answer) => answer.status === status).length;
  t.equal(tally(201) + tally(429), 16, answers.map(({ status }) => status).join());
  t.ok(tally(429) > 0);
  for (const busy of answers.filter(({ status }) => status === 429))
    t.ok(isProblem(busy, 429, 'RATE_LIMITED'));
  t.equal((await list(id)).length, tally(201));
});

t.test('deleted pictures are removed after a day, and with what they are of', async (t) => {
  const id = await newTag('Trash');
  for (let count = 0; count < 3; count += 1) await add(id, small);
  const before = await stored();
  const pictures = await list(id);
  const remove = (index: number) =>
    call('DELETE', `/api/memory-tags/${id}/pictures/${pictures[index]?.id}`, { token });
  await remove(0);
  await remove(1);
  const age = (index: number, hours: number) =>
    test.database.client.deletedPicture.update({
      where: { id: pictures[index]?.id },
      data: { deletedAt: new Date(Date.now() - hours * 3_600_000) },
    });
  const listDeleted = async () =>
    (await call('GET', `/api/memory-tags/${id}/pictures?deleted=true`, { token })).body.data;
  const row = await test.database.client.deletedPicture.findUnique({ where: { id: pictures[0]?.id ?? '' } });
  const deletedAt = row?.deletedAt.toISOString();
  t.match(await listDeleted(), [
    { id: pictures[1]?.id, memoryTagId: id, width: 40 },
    { id: pictures[0]?.id, position: 1, deletedAt, updatedAt: deletedAt },
  ]);
  t.notOk('deletedAt' in ((await list(id))[0] ?? {}));
  await age(0, 23);
  await age(1, 25);
  t.same(
    (await listDeleted()).map((one: { id: string }) => one.id),
    [pictures[0]?.id],
    'that can be restored',
  );
  t.equal((await list(id)).length, 1);
  const restore = (index: number) =>
    call('POST', `/api/memory-tags/${id}/pictures/${pictures[index]?.id}/restore`, { token });
  t.equal((await restore(1)).status, 404, 'too late');
  await purgeDeletedPictures(test.services);
  t.equal(await stored(), before - 1);
  t.match(await restore(0), { status: 200, body: { position: 1 } });
  await remove(0);
  await call('DELETE', `/api/memory-tags/${id}`, { token });
  t.equal(await stored(), before - 3);
  t.equal(await test.database.client.deletedPicture.count({ where: { memoryTagId: id } }), 0);
});
