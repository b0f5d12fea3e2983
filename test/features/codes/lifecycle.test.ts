import { createHash } from 'node:crypto';
import { createPurgeQrCodesJob } from '../../../src/features/codes/purge-qrcodes.job.ts';
import { consumeTestLink } from '../../../src/features/codes/test-link.repository.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createQrCodeClient,
  createTestCode,
  dumpAllRows,
  listAuditActions,
  listErrorFields,
  listImagesOnDisk,
  listOrphanedImages,
} from './code-helper.ts';

t.test('a deleted code is 404, can be restored for 30 days, and is then purged', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user, { pin: '1234', design: { size: 300 } });
  const url = `/${code.id}`;
  const deleted = await call('DELETE', url);
  t.same([deleted.status, deleted.body], [200, { id: code.id, deleted: true }]);
  for (const [method, path] of [
    ['GET', url],
    ['PUT', url],
    ['PATCH', url],
    ['DELETE', url],
    ['POST', `${url}/lost`],
    ['POST', `${url}/found`],
    ['POST', `${url}/test`],
    ['GET', `${url}/preview`],
    ['GET', `${url}/image`],
  ] as const) {
    t.equal(
      (await call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})).status,
      404,
      `${method} ${path}`,
    );
  }
  t.equal((await call('GET', '')).body.pagination.total, 0);
  t.equal((await call('GET', '?status=DELETED')).body.data[0].id, code.id);

  const back = await call('POST', `${url}/restore`);
  t.equal(back.status, 200, back.text);
  t.match(back.body, { ...code, version: 3, imageUrl: String, updatedAt: String });
  t.equal(
    (await call('POST', `${url}/restore`)).status,
    404,
    'a code that is not deleted cannot be restored',
  );

  await call('DELETE', url);
  const job = createPurgeQrCodesJob(app.services);
  const purge = () => job({});
  const setDeletedDaysAgo = (days: number) =>
    app.database.client.qrCode.update({
      where: { id: code.id },
      data: { deletedAt: new Date(Date.now() - days * DAY_MS) },
    });
  await setDeletedDaysAgo(29.9);
  await purge();
  t.same(await listImagesOnDisk(app), [], 'the image goes with the deletion');
  t.equal((await call('POST', `${url}/restore`)).status, 200);
  await call('DELETE', url);
  await setDeletedDaysAgo(30.1);
  t.equal((await call('POST', `${url}/restore`)).status, 404);
  await purge();
  await purge();
  t.same(await listImagesOnDisk(app), []);
  const row = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: code.id } });
  t.match(row, {
    status: 'DELETED',
    data: null,
    logo: null,
    lostDetails: null,
    pinHash: null,
    imageFile: null,
    visibility: {},
  });
  t.equal((await call('GET', '?status=DELETED')).body.pagination.total, 0);
  const actions = (await listAuditActions(app, code.id))
    .filter(({ outcome }) => outcome === 'SUCCESS')
    .map(({ action }) => action);
  t.same(actions, [
    'QRCODE_CREATED',
    'QRCODE_DELETED',
    'QRCODE_RESTORED',
    'QRCODE_DELETED',
    'QRCODE_RESTORED',
    'QRCODE_DELETED',
    'QRCODE_PURGED',
  ]);
});

t.test('a restored code has its previous status: paused, lost with its details, or active', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const [paused, lost, active] = [
    await createTestCode(app, user),
    await createTestCode(app, user),
    await createTestCode(app, user),
  ];
  await call('PATCH', `/${paused.id}`, { status: 'PAUSED' });
  await call('POST', `/${lost.id}/lost`, { message: 'He is shy.', reward: 'Cake' });
  for (const [code, status] of [
    [paused, 'PAUSED'],
    [lost, 'LOST'],
    [active, 'ACTIVE'],
  ] as const) {
    const before = (await call('GET', `/${code.id}`)).body;
    for (let round = 0; round < 2; round++) {
      t.equal((await call('DELETE', `/${code.id}`)).status, 200);
      t.equal((await call('GET', '?status=DELETED')).body.data[0].status, 'DELETED');
      const back = await call('POST', `/${code.id}/restore`);
      t.equal(back.status, 200, back.text);
      t.match(back.body, { status, lost: before.lost });
    }
    const row = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: code.id } });
    t.match(row, { status, previousStatus: null, deletedAt: null });
  }
  const scan = await app.call('POST', '/api/scans/public', { body: { qrCodeId: paused.id } });
  t.equal(scan.body.code, 'CODE_PAUSED', 'a paused code stays paused');
});

t.test('twenty parallel deletions delete a code once', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => createQrCodeClient(app, user)('DELETE', `/${code.id}`)),
  );
  t.same(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 19 }, () => 404)]);
  const deletions = (await listAuditActions(app, code.id)).filter(
    ({ action }) => action === 'QRCODE_DELETED',
  );
  t.equal(deletions.length, 1);
});

t.test(
  'encrypts the details of a lost code; marking it as found does not resume a paused code',
  async (t) => {
    const app = await startTestApp(t);
    const user = await app.createUser();
    const call = createQrCodeClient(app, user);
    const code = await createTestCode(app, user);
    t.equal(code.lost, null);
    const lost = await call('POST', `/${code.id}/lost`, {
      message: 'He is shy.\nPlease write.',
      reward: '100 EUR',
      lastSeen: 'Main Street',
    });
    t.match(lost.body, {
      status: 'LOST',
      lost: { message: 'He is shy.\nPlease write.', reward: '100 EUR', lastSeen: 'Main Street' },
    });
    t.match(lost.body.lost.since, /^\d{4}-\d\d-\d\dT.*Z$/);
    t.notMatch(await dumpAllRows(app), /shy|Main Street/);
    const row = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: code.id } });
    t.notOk(Buffer.from(row.lostDetails ?? []).includes('shy'));
    const again = await call('POST', `/${code.id}/lost`, { reward: '200 EUR' });
    t.same(again.body.lost, {
      message: null,
      reward: '200 EUR',
      lastSeen: null,
      since: lost.body.lost.since,
    });
    const foundAnswer = await call('POST', `/${code.id}/found`);
    t.match(foundAnswer.body, { status: 'ACTIVE', lost: null });
    t.equal((await call('POST', `/${code.id}/lost`)).status, 200, 'no body is needed');
    t.match((await call('PUT', `/${code.id}`, { status: 'ACTIVE' })).body, { status: 'ACTIVE', lost: null });

    const paused = await call('PUT', `/${code.id}`, { status: 'PAUSED' });
    const untouched = await call('POST', `/${code.id}/found`);
    t.match(
      [untouched.status, untouched.body.status, untouched.body.version],
      [200, 'PAUSED', paused.body.version],
    );
    t.equal((await call('POST', `/${code.id}/lost`)).body.status, 'LOST');
    const changed = await call('POST', `/${code.id}/lost`, { reward: '1 EUR' });
    t.notOk('wasPaused' in changed.body.lost);
    t.equal((await call('POST', `/${code.id}/found`)).body.status, 'PAUSED', 'as it was before it was lost');
    t.same(
      listErrorFields(
        await call('POST', `/${code.id}/lost`, { message: 'x'.repeat(1001), reward: 'a\nb', lastSeen: 7 }),
      ),
      ['lastSeen WRONG_TYPE', 'message TOO_LONG', 'reward BAD_FORMAT'],
    );
  },
);

t.test('a test link works once and is stored as a hash', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const created = await createQrCodeClient(app, user)('POST', `/${code.id}/test`, {});
  t.equal(created.status, 201, created.text);
  const token = /^https:\/\/qr\.example\.org\/s\/test\/([\w-]{43}\.\d+)$/.exec(created.body.url)?.[1] ?? '';
  t.not(token, '');
  t.equal(created.headers.location, `/s/test/${token}`);
  const minutes = (Date.parse(created.body.expiresAt) - Date.now()) / 60_000;
  t.ok(minutes > 29 && minutes <= 30);
  const [link] = await app.database.client.testLink.findMany();
  t.same(Buffer.from(link?.tokenHash ?? []), createHash('sha256').update(token).digest());
  const take = () => app.database.transaction((tx) => consumeTestLink(tx, token));
  t.same(await take(), { qrCodeId: code.id, accountId: user.id, accessEpoch: 0 });
  t.equal(await take(), null, 'it works once');
});

t.test('the Location of a test link has the path of the public address', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://example.org/qr' });
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  const { headers, body } = await createQrCodeClient(app, user)('POST', `/${id}/test`, {});
  t.match(body.url, /^https:\/\/example\.org\/qr\/s\/test\//);
  t.equal(headers.location, new URL(body.url).pathname);
});

t.test('a preview shows what a finder sees with and without the PIN, and records no scan', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const data = { name: 'Rex', microchip: '276098106234567', insurance: { company: 'Acme' }, reward: '1 EUR' };
  const code = await createTestCode(app, user, { data, visibility: { reward: 'PIN' } });
  const preview = async (as: string) => (await call('GET', `/${code.id}/preview${as}`)).body;
  t.same(await preview(''), {
    as: 'finder',
    status: 'ACTIVE',
    profile: { name: 'Rex' },
    pictures: [],
    pinRequired: false,
    contactable: true,
  });
  t.same((await preview('?as=pin')).profile, { name: 'Rex' }, 'without a PIN nobody sees more');
  await call('PUT', `/${code.id}`, { pin: '1234', contactable: false });
  t.same(await preview('?as=finder'), {
    as: 'finder',
    status: 'ACTIVE',
    profile: { name: 'Rex' },
    pictures: [],
    pinRequired: true,
    contactable: false,
  });
  const { name, microchip, reward } = data;
  t.same(await preview('?as=pin'), {
    as: 'pin',
    status: 'ACTIVE',
    profile: { name, reward, microchip },
    pictures: [],
    pinRequired: false,
    contactable: false,
  });
  await call('PUT', `/${code.id}`, { visibility: { name: 'PRIVATE' } });
  t.equal((await preview('?as=finder')).profile, null, 'null where nothing is public');
  t.equal((await call('GET', `/${code.id}/preview?as=owner`)).status, 400);
  t.equal(await app.database.client.scan.count(), 0);
  t.equal((await call('GET', `/${code.id}`)).body.scanCount, 0);
});

t.test('returns an image as PNG, SVG and PDF; rendering stores nothing', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user, { design: { foreground: '#123456' } });
  const fixed = await createTestCode(app, user, {
    kind: 'TEXT',
    mode: 'STATIC',
    data: { text: 'Grüße 犬' },
  });
  const before = [await dumpAllRows(app), await listImagesOnDisk(app), (await listAuditActions(app)).length];
  const types = { png: 'image/png', svg: 'image/svg+xml', pdf: 'application/pdf' };
  const starts = { png: /^.PNG/, svg: /^(<\?xml|<svg)/, pdf: /^%PDF-/ };
  for (const format of ['png', 'svg', 'pdf'] as const) {
    for (const { id } of [code, fixed]) {
      const image = await call('GET', `/${id}/image?format=${format}`);
      t.equal(image.status, 200, image.text);
      t.match(image.headers['content-type'], types[format]);
      t.match(image.headers['content-security-policy'], /default-src 'none'/);
      t.match(image.headers['content-disposition'], new RegExp(`filename="[a-z0-9-]+\\.${format}"`));
      t.match(image.text, starts[format]);
    }
    for (const mode of ['STATIC', 'DYNAMIC']) {
      const body = {
        kind: 'WIFI',
        mode,
        data: { ssid: 'Net', password: 'password' },
        design: { size: 256 },
        format,
      };
      const rendered = await call('POST', '/render', body);
      t.match([rendered.status, rendered.headers['content-type']], [200, types[format]]);
      t.match(rendered.text, starts[format]);
    }
  }
  t.match((await call('GET', `/${code.id}/image?format=svg`)).text, /#123456/);
  t.match((await call('GET', `/${code.id}/image`)).headers['content-type'], 'image/png');
  t.equal((await call('GET', `/${code.id}/image?format=gif`)).status, 400);
  const wrong = { kind: 'WIFI', mode: 'STATIC', data: { ssid: 'Net', passwort: 'x' }, design: { margin: 1 } };
  t.same(listErrorFields(await call('POST', '/render', wrong)), [
    'data.passwort UNKNOWN_FIELD',
    'design.margin TOO_SMALL',
  ]);
  t.match(
    (await call('POST', '/render', { ...wrong, data: { ssid: 'Net' }, design: { foreground: '#fff000' } }))
      .body,
    { code: 'IMAGE_NOT_SCANNABLE' },
  );
  t.same([await dumpAllRows(app), await listImagesOnDisk(app), (await listAuditActions(app)).length], before);
  t.same(await listOrphanedImages(app), []);
});

/** Kinds of codes that have pictures, and who sees these by default. */
const PICTURE_VISIBILITIES: Readonly<Record<string, string>> = {
  PET: 'PUBLIC',
  LUGGAGE: 'PUBLIC',
  CAR: 'PUBLIC',
  MEDICAL: 'PIN_OR_PRIVATE',
  IDENTIFICATION: 'PIN_OR_PRIVATE',
  DOCUMENT: 'PIN_OR_PRIVATE',
};

t.test('describes every kind so that a client can build its form', async (t) => {
  const app = await startTestApp(t);
  const { status, body } = await createQrCodeClient(app, await app.createUser({ profile: false }))(
    'GET',
    '/kinds',
  );
  t.equal(status, 200);
  t.equal(body.data.length, 16);
  for (const kind of body.data) {
    t.equal(kind.schema.type, 'object', kind.kind);
    t.equal(kind.schema.additionalProperties, false);
    for (const [name, field] of Object.entries<{ title?: string }>(kind.schema.properties))
      t.type(field.title, 'string', `${kind.kind}.${name} has a label`);
    const { pictures, ...fields } = kind.defaultVisibility;
    t.same(Object.keys(fields).toSorted(), Object.keys(kind.schema.properties).toSorted());
    t.equal(pictures, PICTURE_VISIBILITIES[kind.kind]);
    t.ok(kind.example && kind.label && kind.description);
  }
});
