import { setTimeout as sleep } from 'node:timers/promises';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';
import {
  createQrCodeClient,
  createTestCode,
  dumpAllRows,
  fetchImage,
  listAuditActions,
  listErrorFields,
  listImagesOnDisk,
  listOrphanedImages,
} from './code-helper.ts';

const FUTURE = '2999-01-01T00:00:00.000Z';

t.test('a merge patch also merges data, alone and in bulk', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const { id } = await createTestCode(app, user, {
    data: { name: 'Rex', species: 'Dog', reward: '100 EUR' },
  });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patch = async (data: object) => call('PATCH', `/${id}`, { data }, headers);
  const patched = await patch({ species: null, diet: 'No chicken' });
  t.same(patched.body.data, { name: 'Rex', reward: '100 EUR', diet: 'No chicken' });
  t.equal((await patch({ diet: 'No chicken' })).body.version, patched.body.version, 'nothing changed');
  t.same(listErrorFields(await patch({ name: null, diet: 7 })), [
    'data.diet WRONG_TYPE',
    'data.name REQUIRED',
  ]);
  const item = { id, data: { diet: null } };
  const bulk = await call('PATCH', '/bulk', { items: [item] }, headers);
  t.match(bulk.body, { counts: { updated: 1 } });
  t.same((await call('GET', `/${id}`)).body.data, { name: 'Rex', reward: '100 EUR' });
  t.equal((await call('PUT', `/${id}`, { title: 'a' }, headers)).status, 415);
  const options = await call('OPTIONS', `/${id}`);
  t.equal(options.headers['accept-patch'], 'application/json, application/merge-patch+json');
});

t.test('an update merges: omitted fields stay, null clears, data is replaced as a whole', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user, {
    data: { name: 'Rex', species: 'Dog', reward: '100 EUR' },
    pin: '1234',
    expiresAt: FUTURE,
    visibility: { reward: 'PIN', species: 'PRIVATE' },
  });
  const url = `/${code.id}`;
  const read = await call('GET', url);
  t.same(read.body, code, 'a read returns the same as the creation');
  t.equal(read.headers.etag, '"1"');
  t.equal(read.headers['cache-control'], 'no-store');

  const titled = await call('PUT', url, { title: '  Max\u0308  ' });
  t.match(titled.body, {
    ...code,
    title: 'Max\u0308'.normalize('NFC'),
    version: 2,
    updatedAt: String,
    slug: 'rex',
  });
  t.equal(titled.headers.etag, '"2"');
  const fed = await call('PATCH', url, { data: { name: 'Max', diet: 'No chicken' } });
  t.same(fed.body.data, { name: 'Max', diet: 'No chicken' });
  const updated = await call('PUT', url, { visibility: { species: null, diet: 'PRIVATE' } });
  t.match(updated.body.visibility, { reward: 'PIN', species: 'PUBLIC', diet: 'PRIVATE', name: 'PUBLIC' });
  const reset = await call('PUT', url, {
    visibility: null,
    expiresAt: null,
    contactable: false,
    showsPage: true,
  });
  t.match(reset.body.visibility, { reward: 'PUBLIC', diet: 'PUBLIC' });
  t.match(reset.body, { expiresAt: null, contactable: false, showsPage: true, hasPin: true, version: 5 });
  t.same((await call('GET', url)).body, reset.body);
  t.same(listErrorFields(await call('PUT', url, { title: null, data: null })), [
    'data WRONG_TYPE',
    'title WRONG_TYPE',
  ]);
  const entries = (await listAuditActions(app, code.id)).filter(({ action }) => action === 'QRCODE_UPDATED');
  t.same(
    entries.map(({ changes }) => changes),
    [['title'], ['data'], ['visibility'], ['visibility', 'expiresAt', 'contactable', 'showsPage']],
  );
});

t.test('unknown names inside data, visibility and design are 400 with their path', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const before = await dumpAllRows(app);
  const answer = await createQrCodeClient(app, user)('PUT', `/${code.id}`, {
    title: '',
    data: { name: 'Rex', adress: {} },
    visibility: { adress: 'PRIVATE', nmae: null, name: 'Public' },
    design: { foregruond: null, background: 'white' },
  });
  t.equal(answer.status, 400);
  t.same(listErrorFields(answer), [
    'data.adress UNKNOWN_FIELD',
    'design.background BAD_FORMAT',
    'design.foregruond UNKNOWN_FIELD',
    'title TOO_SHORT',
    'visibility.adress UNKNOWN_FIELD',
    'visibility.name NOT_ALLOWED',
    'visibility.nmae UNKNOWN_FIELD',
  ]);
  const ruled = await createQrCodeClient(app, user)('PUT', `/${code.id}`, {
    visibility: { nmae: null },
    design: { foregruond: null },
  });
  t.same(listErrorFields(ruled), ['design.foregruond UNKNOWN_FIELD', 'visibility.nmae UNKNOWN_FIELD']);
  t.equal(await dumpAllRows(app), before);
});

t.test(
  'a code can be sent back as read in every mode and status, which changes only its version',
  async (t) => {
    const app = await startTestApp(t);
    const user = await app.createUser();
    const call = createQrCodeClient(app, user);
    const dynamic = await createTestCode(app, user, { expiresAt: FUTURE, pin: '4711' });
    const fixed = await createTestCode(app, user, {
      kind: 'WIFI',
      mode: 'STATIC',
      data: { ssid: 'Net', password: 'password' },
    });
    const lost = await createTestCode(app, user);
    await call('POST', `/${lost.id}/lost`, { message: 'Please write' });
    const expired = await createTestCode(app, user, { expiresAt: FUTURE });
    await app.database.client.qrCode.update({
      where: { id: expired.id },
      data: { expiresAt: new Date(Date.now() - 5000) },
    });
    for (const { id } of [dynamic, fixed, lost, expired]) {
      const { body: read } = await call('GET', `/${id}`);
      const { status, body } = await call('PUT', `/${id}`, read);
      t.equal(status, 200, JSON.stringify(body));
      t.same({ ...body, version: 0, updatedAt: '' }, { ...read, version: 0, updatedAt: '' });
    }
    t.same(await listOrphanedImages(app), []);
  },
);

t.test('kind, mode and the printed content of a static code cannot change', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const dynamic = await createTestCode(app, user);
  const fixed = await createTestCode(app, user, { mode: 'STATIC', data: { name: 'Rex', reward: '1 EUR' } });
  const event = await createTestCode(app, user, {
    kind: 'EVENT',
    mode: 'STATIC',
    title: 'Party',
    data: { startsAt: '2027-06-12T18:00:00+02:00' },
  });
  const before = await dumpAllRows(app);
  const refused = async (id: string, body: unknown) => {
    const answer = await call('PUT', `/${id}`, body);
    t.match([answer.status, answer.body.code], [409, 'IMMUTABLE_FIELD'], answer.text);
    return listErrorFields(answer);
  };
  t.same(await refused(dynamic.id, { kind: 'CAR', mode: 'STATIC', title: 'x' }), [
    'kind IMMUTABLE',
    'mode IMMUTABLE',
  ]);
  t.same(await refused(fixed.id, { data: { name: 'Max' } }), ['data IMMUTABLE']);
  t.same(await refused(fixed.id, { visibility: { reward: 'PRIVATE' } }), ['visibility IMMUTABLE']);
  t.same(
    await refused(event.id, { title: 'Funeral' }),
    ['title IMMUTABLE'],
    'an event without a name prints its title',
  );
  t.same(listErrorFields(await call('PUT', `/${fixed.id}`, { pin: '1234', expiresAt: FUTURE })), [
    'expiresAt NOT_ALLOWED',
    'pin NOT_ALLOWED',
  ]);
  t.equal(await dumpAllRows(app), before);
  const renamed = await call('PUT', `/${fixed.id}`, {
    title: 'Max',
    kind: 'pet',
    mode: 'static',
    status: 'PAUSED',
  });
  t.match(renamed.body, { title: 'Max', status: 'PAUSED', data: { name: 'Rex' } });
});

t.test('a new design draws a new image and removes the old one', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user);
  const logo = code.design.logo;
  t.equal(logo, undefined);
  const blue = await call('PUT', `/${code.id}`, { design: { foreground: '#000080', size: 300 } });
  t.match(blue.body.design, { foreground: '#000080', background: '#ffffff', size: 300 });
  t.not(blue.body.imageUrl, code.imageUrl);
  t.ok(await isQrCodeDecodableAs(await fetchImage(app, blue.body), code.scanUrl));
  const picture =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';
  const withLogo = await call('PUT', `/${code.id}`, { design: { logo: picture } });
  t.match(withLogo.body.design, { foreground: '#000080', logo: /^data:image\/png/ });
  const withoutLogo = await call('PUT', `/${code.id}`, { design: { logo: null } });
  t.equal(withoutLogo.body.design.logo, undefined, 'null removes the logo');
  t.equal(withoutLogo.body.design.foreground, '#000080');
  const reset = await call('PUT', `/${code.id}`, { design: null });
  t.same(reset.body.design, code.design);
  const refused = await call('PUT', `/${code.id}`, { title: 'No', design: { foreground: '#eeeeee' } });
  t.match([refused.status, refused.body.code], [400, 'IMAGE_NOT_SCANNABLE']);
  t.match((await call('GET', `/${code.id}`)).body, { title: 'Rex', imageUrl: reset.body.imageUrl });
  await fetchImage(app, reset.body);
  t.same(await listOrphanedImages(app), []);
  t.equal((await listImagesOnDisk(app)).length, 1);
});

t.test('a PIN can be set and cleared, is never readable, and changes the default visibilities', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const body = { data: { name: 'Rex', microchip: '276098106234567' }, visibility: { address: 'PRIVATE' } };
  const code = await createTestCode(app, user, body);
  t.match(code.visibility, { microchip: 'PRIVATE', address: 'PRIVATE', name: 'PUBLIC' });
  const set = await call('PUT', `/${code.id}`, { pin: '0012' });
  t.match(set.body, { hasPin: true, visibility: { microchip: 'PIN', address: 'PRIVATE', name: 'PUBLIC' } });
  const { pinHash } = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: code.id } });
  t.match(pinHash, /^p1:\$2b\$\d\d\$/);
  t.ok(await app.services.pins.verify('0012', pinHash));
  t.notOk(await app.services.pins.verify('12', pinHash));
  t.notMatch(set.text, /0012|\$2b\$/);
  const cleared = await call('PUT', `/${code.id}`, { pin: null });
  t.match(cleared.body, { hasPin: false, visibility: { microchip: 'PRIVATE' } });
  for (const pin of [12, '123', '1234567890123', '12a4', '١٢٣٤', ['1234'], { not: '' }, ' 1234', '']) {
    const answer = await call('PUT', `/${code.id}`, { pin });
    t.same([answer.status, answer.body.errors?.[0]?.field], [400, 'pin'], `${JSON.stringify(pin)}`);
  }
  const opened = await createTestCode(app, user, {
    kind: 'WIFI',
    data: { ssid: 'Net', password: 'password' },
  });
  t.equal(opened.visibility.password, 'PUBLIC');
  t.equal((await call('PUT', `/${opened.id}`, { pin: '471108155512' })).body.visibility.password, 'PIN');
  t.notMatch(app.log.join(''), /0012"|471108155512|password"/);
});

t.test('If-Match protects a version, and none of 20 parallel changes is lost silently', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user);
  const url = `/${code.id}`;
  for (const tag of ['"0"', '"2"', 'W/"2"', '"2-gzip"', '"1-x"', 'w/"1"', '1', '']) {
    const answer = await call('PUT', url, { title: 'x' }, { 'if-match': tag });
    t.match([answer.status, answer.body.code], [412, 'PRECONDITION_FAILED'], tag);
  }
  // As nginx, Cloudflare, Apache and Jetty write the tag of a response that they compress.
  for (const tag of ['W/"1"', '"1-gzip"', '"1-br"', 'W/"1-zstd"', '"1--gzip"', '"7", W/"1"'])
    t.equal((await call('PUT', url, { title: code.title }, { 'if-match': tag })).status, 200, tag);
  t.equal((await call('DELETE', url, undefined, { 'if-match': '"2"' })).status, 412);
  t.equal((await call('PUT', url, { title: 'Two' }, { 'if-match': '"7", "1"' })).body.version, 2);
  t.equal((await call('PUT', url, { title: 'Three' }, { 'if-match': '*' })).body.version, 3);

  const guarded = await Promise.all(
    Array.from({ length: 20 }, (_, n) => call('PUT', url, { title: `guarded ${n}` }, { 'if-match': '"3"' })),
  );
  t.same(guarded.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 19 }, () => 412)]);
  const open = await Promise.all(
    Array.from({ length: 20 }, (_, n) => call('PUT', url, { title: `open ${n}`, design: { size: 300 + n } })),
  );
  const [successes, conflicts] = [
    open.filter(({ status }) => status === 200),
    open.filter(({ status }) => status === 409),
  ];
  t.ok(successes.length >= 1);
  t.equal(successes.length + conflicts.length, 20);
  const last = (await call('GET', url)).body;
  t.equal(last.version, 4 + successes.length);
  const winner = successes.find(({ body }) => body.version === last.version)?.body;
  t.same(last, winner);
  t.same(await listOrphanedImages(app), []);
  t.equal((await call('DELETE', url, undefined, { 'if-match': `"${last.version}"` })).status, 200);
});

t.test('a code past its expiry date is EXPIRED until it gets a later one', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const soon = new Date(Date.now() + 300).toISOString();
  const code = await createTestCode(app, user, { expiresAt: soon });
  t.match(code, { expiresAt: soon });
  await sleep(400);
  t.equal((await call('GET', `/${code.id}`)).body.status, 'EXPIRED');
  t.same(listErrorFields(await call('PUT', `/${code.id}`, { expiresAt: '2001-01-01T00:00:00Z' })), [
    'expiresAt IN_THE_PAST',
  ]);
  t.same(listErrorFields(await call('PUT', `/${code.id}`, { status: 'LOST' })), ['status NOT_ALLOWED']);
  t.match((await call('PUT', `/${code.id}`, { title: 'still there' })).body, {
    status: 'EXPIRED',
    title: 'still there',
  });
  t.match((await call('PUT', `/${code.id}`, { expiresAt: '2999-01-01T02:00:00+02:00' })).body, {
    status: 'ACTIVE',
    expiresAt: FUTURE,
  });
});

t.test('a code that gets only a logo gets another image', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const call = createQrCodeClient(app, user);
  const logo = `data:image/png;base64,${ONE_PIXEL_PNG.toString('base64')}`;
  const withLogo = await call('PATCH', `/${code.id}`, { design: { logo } });
  t.equal(withLogo.status, 200, withLogo.text);
  t.not(withLogo.body.imageUrl, code.imageUrl);
  t.same((await listAuditActions(app, code.id)).at(-1)?.changes, ['design']);
  const without = await call('PATCH', `/${code.id}`, { design: { logo: null } });
  t.not(without.body.imageUrl, withLogo.body.imageUrl);
});
