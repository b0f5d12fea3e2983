import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { createGalleryClient, fetchPictureBytes } from '../memory-tags/gallery-helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const IMAGE_PATTERN = /<img src="([^"]*\/pictures\/[^"]*)" width="(\d+)" height="(\d+)" alt="([^"]*)">/g;

const test = await startScans(t);
const { call, code, scan, app, owner } = test;
const token = owner.accessToken;
const { add } = createGalleryClient(test, token, '/api/qrcodes');
const wide = await createSolidPicture(1_500, 1_000).jpeg().toBuffer();
const high = await createSolidPicture(600, 1_200).jpeg().toBuffer();

const change = (id: string, body: object) => call('PUT', `/api/qrcodes/${id}`, { token, body });
const statusOf = async (url: string) => (await fetchPictureBytes(app, url)).status;
const picturesIn = (text: string) =>
  [...text.matchAll(IMAGE_PATTERN)].map(([, src = '', width, height, alt]) => ({
    src: src.replaceAll('&#38;', '&'),
    width,
    height,
    alt,
  }));
const readCard = (text: string) => /property="og:image" content="([^"]*)"/.exec(text)?.[1] ?? null;

t.test('a page shows the first picture above the name, at once, and the others in a row', async (t) => {
  const id = await code();
  const ids = [];
  for (const [bytes, caption] of [
    [high, ''],
    [wide, 'On the <beach>'],
    [wide, ''],
  ] as const)
    ids.push((await add(id, bytes, caption ? { caption } : {})).body.id);
  const { text } = await call('GET', `/s/${id}`);
  const address = `/s/${id}/pictures`;
  t.same(picturesIn(text), [
    { src: `${address}/${ids[0]}?w=640`, width: '240', height: '480', alt: 'Rex' },
    {
      src: `${address}/${ids[1]}?w=320`,
      width: '320',
      height: '213',
      alt: 'On the &#60;beach&#62;',
    },
    { src: `${address}/${ids[2]}?w=320`, width: '320', height: '213', alt: 'Photo 3' },
  ]);
  t.ok(text.indexOf('?w=640') < text.indexOf('<h1>Rex</h1>'));
  t.ok(text.indexOf('<h1>Rex</h1>') < text.indexOf('class="strip"'));
  t.match(await fetchPictureBytes(app, `${address}/${ids[0]}?w=640`, { accept: 'image/webp' }), {
    status: 200,
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
    },
  });
  const medical = await code({
    kind: 'MEDICAL',
    data: { name: 'Ada', bloodType: 'O-' },
    visibilityPreset: 'EMERGENCY',
  });
  await add(medical, wide);
  const card = (await call('GET', `/s/${medical}`)).text;
  t.match(picturesIn(card), [{ width: '300', height: '200' }], 'the preset shows helpers the face');
  t.ok(card.indexOf('<h1>') < card.indexOf('<img'), 'below what the card is');
});

t.test('the visibility of pictures is set like that of a field', async (t) => {
  const id = await code({ pin: '4711' });
  const { body } = await add(id, wide);
  const address = `/s/${id}/pictures/${body.id}`;
  t.equal((await call('GET', `/api/qrcodes/${id}`, { token })).body.visibility.pictures, 'PUBLIC');
  t.equal(await statusOf(address), 200, 'a public picture needs no PIN');
  t.match((await scan({ qrCodeId: id })).body.pictures, [
    { id: body.id, caption: null, width: 1_500, height: 1_000, url: `https://qr.example.org${address}` },
  ]);
  await change(id, { visibility: { pictures: 'PIN' } });
  t.equal(await statusOf(address), 404);
  t.same((await scan({ qrCodeId: id })).body.pictures, []);
  const wrong = await scan({ qrCodeId: id, pin: '0000' });
  t.match(wrong, { status: 403, body: { pictures: [] } });
  const [picture] = (await scan({ qrCodeId: id, pin: '4711' })).body.pictures;
  t.match(picture.url, /\?t=\d+\.[\w-]+$/);
  t.equal(await statusOf(`${picture.url}&w=320`), 200);
  const visit = await scan({ qrCodeId: id });
  const unlocked = await call('POST', `/api/scans/public/${visit.body.scan.id}/unlock`, {
    body: { pin: '4711' },
    headers: createTokenHeader(visit),
  });
  t.equal(await statusOf(unlocked.body.pictures[0].url), 200);
  const preview = async (as: string) =>
    (await call('GET', `/api/qrcodes/${id}/preview?as=${as}`, { token })).body.pictures;
  t.same(await preview('finder'), []);
  t.equal(await statusOf((await preview('pin'))[0].url), 200);

  await change(id, { visibility: { pictures: 'PRIVATE' } });
  for (const url of [address, picture.url]) t.equal(await statusOf(url), 404);
  t.same((await scan({ qrCodeId: id, pin: '4711' })).body.pictures, []);
  t.same(await preview('pin'), []);
  t.equal((await change(id, { visibility: { pictures: 'FRIENDS' } })).status, 400);
  const wifi = { kind: 'WIFI', title: 'Net', data: { ssid: 'Net' }, visibility: { pictures: 'PUBLIC' } };
  t.match((await call('POST', '/api/qrcodes', { token, body: wifi })).body.errors, [
    { field: 'visibility.pictures', code: 'UNKNOWN_FIELD' },
  ]);
});

t.test('pictures behind a PIN come with the page that the PIN opened, until the code changes', async (t) => {
  const id = await code({ kind: 'IDENTIFICATION', data: { name: 'Ada' }, pin: '4711' });
  await add(id, wide);
  const closed = await call('GET', `/s/${id}`);
  t.same([picturesIn(closed.text), readCard(closed.text)], [[], null]);
  const visit = /name="visit" value="([^"]+)"/.exec(closed.text)?.[1] ?? '';
  const opened = await call('POST', `/s/${id}/pin`, { body: `visit=${visit}&pin=4711`, headers: FORM });
  const [picture] = picturesIn(opened.text);
  const src = picture?.src ?? '';
  t.equal(await statusOf(src), 200);
  t.equal(readCard(opened.text), null, 'no card shows it');
  t.equal(await statusOf(src.replace(/&t=.*/, '')), 404);
  t.equal(await statusOf(`${src}x`), 404);
  const gallery = await call('GET', src.replace(/\/pictures\/.*&/, '/pictures?'));
  t.same(
    picturesIn(gallery.text).map(({ src }) => src),
    [src],
    'with the same ticket',
  );
  await change(id, { title: 'Badge' });
  t.equal(await statusOf(src), 404);
});

t.test('an address ends with the picture, the code and the account', async (t) => {
  const id = await code();
  const { body } = await add(id, wide);
  const address = `/s/${id}/pictures/${body.id}`;
  const ends: Record<string, [() => Promise<unknown>, () => Promise<unknown>]> = {
    paused: [() => change(id, { status: 'PAUSED' }), () => change(id, { status: 'ACTIVE' })],
    private: [
      () => change(id, { visibility: { pictures: 'PRIVATE' } }),
      () => change(id, { visibility: { pictures: 'PUBLIC' } }),
    ],
    deleted: [
      () => call('DELETE', `/api/qrcodes/${id}`, { token }),
      () => call('POST', `/api/qrcodes/${id}/restore`, { token }),
    ],
  };
  for (const [name, [end, resume]] of Object.entries(ends)) {
    t.equal(await statusOf(address), 200, name);
    t.equal((await call('GET', `/s/${id}/pictures`)).status, 200);
    await end();
    t.equal(await statusOf(address), 404, name);
    t.equal((await fetchPictureBytes(app, address, { 'if-none-match': '*' })).status, 404, name);
    t.equal((await call('GET', `/s/${id}/pictures`)).status, 404);
    await resume();
  }
  t.equal(await statusOf(address), 200);
  t.equal(await statusOf(address.replace(id, await code())), 404, 'of another code');
  const second = await add(id, wide);
  await call('DELETE', body.url, { token });
  t.equal(await statusOf(address), 404);
  t.match((await scan({ qrCodeId: id })).body.pictures, [{ id: second.body.id }]);
});

t.test('a page in the cache and a scan show a new picture at once', async (t) => {
  const id = await code();
  const reads = async () => [
    (await scan({ qrCodeId: id })).body.pictures.length,
    picturesIn((await call('GET', `/s/${id}`)).text).length,
  ];
  t.same(await reads(), [0, 0]);
  const { body } = await add(id, wide);
  t.same(await reads(), [1, 1]);
  await call('DELETE', body.url, { token });
  t.same(await reads(), [0, 0]);
});

t.test('cards of messengers have the picture only if it is public', async (t) => {
  const id = await code();
  const { body } = await add(id, wide);
  const { text } = await call('GET', `/s/${id}`);
  t.equal(readCard(text), `${test.services.publicBaseUrl}/s/${id}/pictures/${body.id}?w=640`);
  t.match(text, '<meta property="og:image:width" content="640">');
  await change(id, { visibility: { pictures: 'PRIVATE' } });
  t.equal(readCard((await call('GET', `/s/${id}`)).text), null);
});

t.test('a medical picture without any visible field is audited as content', async (t) => {
  const id = await code({
    kind: 'MEDICAL',
    data: { name: 'Ada' },
    visibility: { name: 'PRIVATE', pictures: 'PUBLIC' },
  });
  await add(id, wide);
  const trail = await captureAuditEntries(test, async () => {
    await scan({ qrCodeId: id });
    await call('GET', `/s/${id}`);
  });
  t.match(trail, [
    { action: 'MEDICAL_DATA_SCANNED', resourceId: id },
    { action: 'MEDICAL_DATA_SCANNED', resourceId: id },
  ]);
});

t.test('pictures of a medical code are audited when they are opened without its page', async (t) => {
  const id = await code({
    kind: 'MEDICAL',
    data: { name: 'Ada', bloodType: 'O-' },
    visibilityPreset: 'EMERGENCY',
  });
  const { body } = await add(id, wide);
  const pet = await code();
  const dog = await add(pet, wide);
  const entries = await captureAuditEntries(test, async () => {
    t.equal(await statusOf(`/s/${id}/pictures/${body.id}`), 200);
    t.equal((await call('GET', `/s/${id}/pictures`)).status, 200);
    t.equal(await statusOf(`/s/${id}/pictures/${dog.body.id}`), 404);
    t.equal(await statusOf(`/s/${pet}/pictures/${dog.body.id}`), 200);
    t.equal((await call('HEAD', `/s/${id}/pictures`)).status, 200, 'HEAD shows nothing');
  });
  const scanned = { action: 'MEDICAL_DATA_SCANNED', resourceId: id, outcome: 'SUCCESS' };
  t.match(entries, [scanned, scanned]);
  t.equal(entries.length, 2);
});

t.test('pictures of a suspended owner are not delivered', async (t) => {
  const id = await code();
  const { body } = await add(id, wide);
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const setStatus = (status: string) =>
    call('PATCH', `/api/admin/users/${owner.id}`, { token: root.accessToken, body: { status } });
  const address = `/s/${id}/pictures/${body.id}`;
  t.equal(await statusOf(address), 200);
  await setStatus('SUSPENDED');
  t.equal(await statusOf(address), 404);
  await setStatus('ACTIVE');
  t.equal(await statusOf(address), 200);
});
