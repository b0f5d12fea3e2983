import { setTimeout as sleep } from 'node:timers/promises';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createPetBody,
  createQrCodeClient,
  createTestCode,
  fetchImage,
  listAuditActions,
  listImagesOnDisk,
} from './code-helper.ts';

const NO_LIMITS = { BILLING: 'off' };

function putBulk(app: TestApp, user: TestUser, items: unknown, headers?: Record<string, string>) {
  return createQrCodeClient(app, user)('POST', '/bulk', { items }, headers);
}

const countCodes = (app: TestApp, accountId: string) =>
  app.database.client.qrCode.count({ where: { accountId } });

t.test('a list has the created codes in the order of the items', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const titles = Array.from({ length: 40 }, (_, index) => `Tag ${index}`);
  await putBulk(
    app,
    user,
    titles.map((title) => createPetBody({ title })),
  );
  const { body } = await createQrCodeClient(app, user)('GET', '?sort=createdAt&limit=100');
  t.same(
    body.data.map(({ title }: { title: string }) => title),
    titles,
  );
});

t.test('of 1,000 items with 100 wrong ones 900 are created, and none when they are sent again', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    ...createPetBody({ title: 'Tag', externalId: `tag-${index}` }),
    ...(index % 10 === 3 && { data: { nmae: 'Rex' } }),
  }));
  const first = await putBulk(app, user, items);
  t.match(first, { status: 200, body: { counts: { created: 900, updated: 0, unchanged: 0, failed: 100 } } });
  t.match(first.body.data[3], {
    index: 3,
    outcome: 'FAILED',
    id: null,
    externalId: 'tag-3',
    error: {
      code: 'VALIDATION_FAILED',
      errors: [
        { field: 'data.name', code: 'REQUIRED' },
        { field: 'data.nmae', code: 'UNKNOWN_FIELD' },
      ],
    },
  });
  t.equal(await countCodes(app, user.id), 900);
  const { id, scanUrl, imageUrl } = first.body.data[4];
  t.match((await createQrCodeClient(app, user)('GET', `/${id}`)).body, {
    externalId: 'tag-4',
    scanUrl,
    imageUrl,
    version: 1,
  });
  t.ok(await isQrCodeDecodableAs(await fetchImage(app, { imageUrl }), scanUrl));
  t.equal(new Set(first.body.data.map((item: { imageUrl: string }) => item.imageUrl)).size, 901);
  const created = (await listAuditActions(app)).filter(({ action }) => action === 'QRCODE_CREATED');
  t.equal(new Set(created.map(({ resourceId }) => resourceId)).size, 900);
  const events = await app.database.client.accountEvent.findMany({ where: { accountId: user.id } });
  t.equal(events.filter(({ type }) => type === 'code.created').length, 900);

  const again = await putBulk(app, user, items);
  t.match(again.body.counts, { created: 0, updated: 0, unchanged: 900, failed: 100 });
  t.equal(await countCodes(app, user.id), 900);
});

t.test('an item with the external id of a code updates it, and others fail by themselves', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const code = await createTestCode(app, user, { externalId: 'one' });
  const logo = { logo: 'data:image/png;base64,AAAA' };
  const { body } = await putBulk(app, user, [
    createPetBody({ externalId: 'one', title: 'Max' }),
    createPetBody({ externalId: 'two', pin: '1234', design: { foreground: '#102030' } }),
    createPetBody({ externalId: 'two' }),
    createPetBody({ kind: 'CAT' }),
    createPetBody({ design: { foreground: '#eeeeee' } }),
    createPetBody({ design: logo }),
    createPetBody({ design: logo }),
    'no object',
    { ...createPetBody({ externalId: 'one' }), kind: 'URL', data: { url: 'https://example.org/' } },
    {},
  ]);
  const outcomes = body.data.map(
    ({
      outcome,
      error,
    }: {
      outcome: string;
      error: { code: string; errors: { field: string; code: string }[] } | null;
    }) => (error ? [error.code, ...error.errors.map(({ field, code }) => `${field} ${code}`)] : outcome),
  );
  t.same(outcomes, [
    'UPDATED',
    'CREATED',
    ['VALIDATION_FAILED', 'externalId NOT_UNIQUE'],
    ['VALIDATION_FAILED', 'kind NOT_ALLOWED'],
    ['IMAGE_NOT_SCANNABLE', 'design.foreground LOW_CONTRAST', 'design.background LOW_CONTRAST'],
    ['VALIDATION_FAILED', 'design.logo INVALID_IMAGE'],
    ['VALIDATION_FAILED', 'design.logo INVALID_IMAGE'],
    ['VALIDATION_FAILED', 'body WRONG_TYPE'],
    ['VALIDATION_FAILED', 'externalId NOT_UNIQUE'],
    ['VALIDATION_FAILED', 'kind REQUIRED', 'title REQUIRED', 'data REQUIRED'],
  ]);
  t.equal(body.data[0].id, code.id);
  const call = createQrCodeClient(app, user);
  t.match((await call('GET', `/${code.id}`)).body, { title: 'Max', version: 2 });
  t.match((await call('GET', '/by-external-id/two')).body, {
    hasPin: true,
    design: { foreground: '#102030' },
  });
  t.same(
    (await listAuditActions(app, code.id)).map(({ action }) => action),
    ['QRCODE_CREATED', 'QRCODE_UPDATED'],
  );
});

t.test('codes are updated, paused and deleted by id or external id', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const call = createQrCodeClient(app, user);
  const [one, two] = (
    await putBulk(app, user, [createPetBody({ externalId: 'one' }), createPetBody({ externalId: 'two' })])
  ).body.data;
  const foreign = await createTestCode(app, other);
  const list = ({
    body,
  }: {
    body: { data: { outcome: string; error: { code: string; errors: object[] } }[] };
  }) => body.data.map(({ outcome, error }) => (error ? [error.code, ...error.errors] : outcome));
  const changed = await call('PATCH', '/bulk', {
    items: [
      { externalId: 'one', status: 'PAUSED' },
      { id: two.id, title: 'Max', externalId: 'three' },
      { id: two.id, title: 'Again' },
      { id: foreign.id, title: 'Mine' },
      { externalId: 'none', title: 'None' },
      { title: 'None' },
      { id: 'x', title: 'None' },
    ],
  });
  t.match(list(changed), [
    'UPDATED',
    'UPDATED',
    ['VALIDATION_FAILED', { field: 'id', code: 'NOT_UNIQUE' }],
    ['NOT_FOUND'],
    ['NOT_FOUND'],
    ['VALIDATION_FAILED', { field: 'id', code: 'REQUIRED' }],
    ['NOT_FOUND'],
  ]);
  t.match((await call('GET', `/${one.id}`)).body, { status: 'PAUSED', version: 2 });
  t.match((await call('GET', `/${two.id}`)).body, { title: 'Max', externalId: 'three' });
  t.match(
    (await listAuditActions(app, foreign.id)).map(({ action }) => action),
    ['QRCODE_CREATED', 'ACCESS_DENIED'],
  );
  t.match(list(await call('PATCH', '/bulk', { items: [{ id: one.id, title: ' ', status: 'LOST' }] })), [
    ['VALIDATION_FAILED', { field: 'title', code: 'BAD_FORMAT' }, { field: 'status', code: 'NOT_ALLOWED' }],
  ]);

  await fetchImage(app, one);
  const deleted = await call('POST', '/bulk/delete', {
    items: [{ externalId: 'one' }, { id: two.id }, { id: one.id }, { id: foreign.id }],
  });
  t.match(list(deleted), [
    'DELETED',
    'DELETED',
    ['VALIDATION_FAILED', { field: 'id', code: 'NOT_UNIQUE' }],
    ['NOT_FOUND'],
  ]);
  t.match(deleted.body.counts, { deleted: 2, failed: 2 });
  t.same(await listImagesOnDisk(app), []);
  t.equal((await call('GET', `/${one.id}`)).status, 404);
  t.equal((await call('POST', `/${one.id}/restore`)).body.status, 'PAUSED');
  t.equal((await createQrCodeClient(app, other)('GET', `/${foreign.id}`)).body.title, 'Rex');
  const events = await app.database.client.accountEvent.findMany({
    where: { accountId: user.id, type: 'code.deleted' },
  });
  t.equal(events.length, 2);
});

t.test('an update that the database refuses does not undo the others of its transaction', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const items = ['one', 'two', 'three'].map((externalId) => createPetBody({ externalId }));
  const ids = (await putBulk(app, user, items)).body.data.map(({ id }: { id: string }) => id);
  const { body } = await createQrCodeClient(app, user)('PATCH', '/bulk', {
    items: ids.map((id: string, nth: number) => ({
      id,
      externalId: nth === 2 ? 'other' : 'same',
      title: 'New',
    })),
  });
  t.match(body, {
    data: [{ outcome: 'UPDATED' }, { error: { code: 'EXTERNAL_ID_TAKEN' } }, { outcome: 'UPDATED' }],
    counts: { updated: 2, failed: 1 },
  });
  const rows = await app.database.client.qrCode.findMany({
    where: { accountId: user.id },
    orderBy: { id: 'asc' },
  });
  t.same(rows.map(({ title, version }) => [title, version]).sort(), [
    ['New', 2],
    ['New', 2],
    ['Rex', 1],
  ]);
});

t.test('the quota holds for bulk requests at the same time', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const putTwenty = async () => {
    const items = Array.from({ length: 20 }, () => createPetBody());
    let response = await putBulk(app, user, items);
    // On a busy machine a request can wait too long for the others: nothing of it is stored.
    while (response.status === 503) response = await putBulk(app, user, items);
    return response;
  };
  const responses = await Promise.all([putTwenty(), putTwenty(), putTwenty(), putTwenty()]);
  t.equal(await countCodes(app, user.id), 50);
  const counts = responses.map(({ body }) => body.counts);
  t.equal(
    counts.reduce((sum, { created }) => sum + created, 0),
    50,
  );
  t.equal(
    counts.reduce((sum, { failed }) => sum + failed, 0),
    30,
  );
  const failed = responses.flatMap(({ body }) => body.data).find(({ outcome }) => outcome === 'FAILED');
  t.match(failed, { id: null, error: { code: 'PLAN_LIMIT_REACHED', errors: [] } });
});

t.test('a request with an Idempotency-Key is answered once', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const items = [createPetBody(), createPetBody()];
  const key = { 'idempotency-key': 'bulk-4f2c9a1e7d3b' };
  const first = await putBulk(app, user, items, key);
  const second = await putBulk(app, user, items, key);
  t.same(second.body, first.body);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.equal(await countCodes(app, user.id), 2);
});

t.test('parallel deletions with the same Idempotency-Key delete once, and are answered alike', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  const missing = '0123456789abcdef01234567';
  const key = { 'idempotency-key': 'bulk-delete-4f2c9a1e' };
  const remove = () =>
    createQrCodeClient(app, user)('POST', '/bulk/delete', { items: [{ id }, { id: missing }] }, key);
  const responses = await Promise.all([remove(), remove()]);
  for (const { body } of [...responses, await remove()])
    t.match(body, { counts: { deleted: 1, failed: 1 }, data: [{ id, outcome: 'DELETED' }, { id: null }] });
  t.equal(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 1);
  const count = async (resourceId: string, action: string) =>
    (await listAuditActions(app, resourceId)).filter((entry) => entry.action === action).length;
  t.equal(await count(id, 'QRCODE_DELETED'), 1);
  t.equal(await count(id, 'ACCESS_DENIED'), 0);
  t.equal(await count(missing, 'ACCESS_DENIED'), 1);
  t.same(await listImagesOnDisk(app), []);
});

t.test('new codes are not decrypted for the warnings of their results', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  await app.services.jobs.stop();
  const { fieldCipher } = app.services;
  const { decrypt } = fieldCipher;
  const decrypted: string[] = [];
  t.teardown(() => Object.assign(fieldCipher, { decrypt }));
  Object.assign(fieldCipher, {
    decrypt: (...input: Parameters<typeof decrypt>) => {
      decrypted.push(`${input[0].table}.${input[0].column}`);
      return decrypt(...input);
    },
  });
  const medical = { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } };
  const emergency = { ...medical, data: { name: 'Ada', bloodType: 'A+' }, visibilityPreset: 'EMERGENCY' };
  const items = [createPetBody(), medical, emergency];
  const { body } = await putBulk(app, user, items);
  t.same(
    body.data.map(({ warnings }: { warnings: string[] }) => warnings),
    [[], ['TITLE_NOT_SECRET', 'NOTHING_PUBLIC'], ['TITLE_NOT_SECRET']],
  );
  t.notOk(decrypted.includes('qr_codes.data'));
});

t.test('requests beyond the limits are refused as a whole', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  t.match(await putBulk(app, user, []), {
    status: 400,
    body: { errors: [{ field: 'items', code: 'TOO_FEW' }] },
  });
  const tooMany = Array.from({ length: 1_001 }, () => ({}));
  t.match(await putBulk(app, user, tooMany), {
    status: 400,
    body: { errors: [{ field: 'items', code: 'TOO_MANY' }] },
  });
  const pins = Array.from({ length: 51 }, () => createPetBody({ pin: '1234' }));
  t.match((await putBulk(app, user, pins)).body, {
    counts: { created: 50, failed: 1 },
    data: { 50: { error: { errors: [{ field: 'pin', code: 'TOO_MANY' }] } } },
  });
});

t.test('workers draw the images of codes created in bulk', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const items = Array.from({ length: 3 }, () => createPetBody());
  const { body } = await putBulk(app, user, items);
  await app.services.jobs.start();
  t.teardown(() => app.services.jobs.stop());
  for (const { imageUrl } of body.data) {
    const file = `qrcodes/${imageUrl.split('/').at(-1)}`;
    while (!(await app.services.publicFiles.stat(file))) await sleep(20);
  }
  t.pass();
});

t.test('an item has the warnings of its code, and the names that were ignored', async (t) => {
  const app = await startTestApp(t, { ...NO_LIMITS, PUBLIC_BASE_URL: 'http://localhost:3000' });
  const user = await app.createUser();
  const client = createQrCodeClient(app, user);
  const medical = { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' }, externalId: 'card' };
  const { body } = await putBulk(app, user, [createPetBody(), medical, { kind: 'PET' }]);
  for (const { id, warnings } of body.data.slice(0, 2))
    t.same(warnings, (await client('GET', `/${id}`)).body.warnings);
  t.match(body.data[1].warnings, ['SCAN_URL_LOCAL', 'TITLE_NOT_SECRET', 'NOTHING_PUBLIC']);
  t.same(body.data[2].warnings, [], 'failed');
  const record = (await client('GET', `/${body.data[0].id}`)).body;
  const changed = await client('PATCH', '/bulk', {
    items: [
      { ...record, title: 'Bello', addedByLaterVersion: true },
      { id: body.data[1].id, slug: 'x' },
    ],
  });
  t.match(changed.body.data, [
    { outcome: 'UPDATED', warnings: ['SCAN_URL_LOCAL', 'UNKNOWN_FIELD: addedByLaterVersion'] },
    { outcome: 'UNCHANGED', warnings: [/^/, /^/, /^/, 'UNKNOWN_FIELD: slug'] },
  ]);
});
