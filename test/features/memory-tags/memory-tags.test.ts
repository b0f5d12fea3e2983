import { generateAbsentId, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries, insertTestQrCode } from '../audit-trail-helper.ts';

const KATHARINA = {
  name: 'Katharina Brandt',
  bornOn: '1931-05-17',
  diedOn: '2024-11-02',
  epitaph: 'She planted trees whose shade was for others.',
  story: 'Teacher and gardener.\nMother of three.',
};

t.test('creates, reads, updates and deletes a memory tag', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const ada = await createUser();
  const token = ada.accessToken;
  const qrCodeId = await insertTestQrCode(test, ada.id, { id: generateAbsentId(), kind: 'MEMORY_TAG' });

  const empty = await call('GET', '/api/memory-tags', { token });
  t.equal(empty.status, 200);
  t.same(empty.body, {
    data: [],
    pagination: { page: 1, limit: 10, total: 0, totalPages: 0, nextCursor: null, hasMore: false },
  });

  let id = '';
  await t.test('creates a memory tag', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const body = { ...KATHARINA, qrCodeId, accountId: generateAbsentId(), version: 7 };
      const made = await call('POST', '/api/memory-tags', { token, body });
      t.equal(made.status, 201, made.text);
      t.match(made.body, { ...KATHARINA, qrCodeId, accountId: ada.id, version: 1 });
      t.equal(made.headers.location, `/api/memory-tags/${made.body.id}`);
      id = made.body.id;
    });
    t.same(
      trail.map((entry) => [entry.action, entry.resourceId]),
      [['MEMORY_TAG_CREATED', id]],
    );
    const smallest = await call('POST', '/api/memory-tags', { token, body: { name: 'Rex' } });
    t.match(smallest.body, { name: 'Rex', qrCodeId: null, bornOn: null, diedOn: null, story: null });
  });

  await t.test('creates one memory tag per Idempotency-Key', async (t) => {
    const headers = { 'idempotency-key': 'a-key-of-sixteen-characters' };
    const body = { name: 'Minka' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => call('POST', '/api/memory-tags', { token, body, headers })),
    );
    t.equal(new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body.id)).size, 1);
    const again = await call('POST', '/api/memory-tags', { token, body, headers });
    t.equal(again.headers['idempotency-replayed'], 'true');
    const other = await call('POST', '/api/memory-tags', { token, body: { name: 'Mohrle' }, headers });
    t.equal(other.body.code, 'IDEMPOTENCY_KEY_REUSED');
    t.equal((await call('GET', '/api/memory-tags', { token })).body.pagination.total, 3);
  });

  await t.test('reads a memory tag, and lists it', async (t) => {
    const one = await call('GET', `/api/memory-tags/${id}`, { token });
    t.match(one.body, { id, ...KATHARINA });
    t.equal(one.headers.etag, '"1"');
    t.equal(one.headers['cache-control'], 'no-store');
    const list = await call('GET', '/api/memory-tags?limit=2', { token });
    t.same(
      list.body.data.map((tag: { name: string }) => tag.name),
      ['Minka', 'Rex'],
    );
    const headers = { 'if-none-match': String(list.headers.etag) };
    t.equal((await call('GET', '/api/memory-tags?limit=2', { token, headers })).status, 304);
  });

  await t.test('updates fields: omitted ones stay, null clears', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const put = await call('PUT', `/api/memory-tags/${id}`, {
        token,
        body: { epitaph: null, diedOn: '2024-11-03' },
      });
      t.equal(put.status, 200, put.text);
      t.match(put.body, { ...KATHARINA, epitaph: null, diedOn: '2024-11-03', version: 2, qrCodeId });
      t.equal(put.headers.etag, '"2"');
    });
    t.match(trail, [{ action: 'MEMORY_TAG_UPDATED', resourceId: id, changes: ['diedOn', 'epitaph'] }]);
    const patched = await call('PATCH', `/api/memory-tags/${id}`, { token, body: { qrCodeId: null } });
    t.match(patched.body, { qrCodeId: null, version: 3 });
  });

  await t.test('rejects an update of an outdated version', async (t) => {
    const headers = { 'if-match': '"2"' };
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : { name: 'Kathi' };
      const late = await call(method, `/api/memory-tags/${id}`, { token, body, headers });
      t.equal(late.status, 412, late.text);
    }
    const now = { 'if-match': '"3"' };
    const body = { name: 'Kathi' };
    t.equal((await call('PUT', `/api/memory-tags/${id}`, { token, body, headers: now })).status, 200);
    const both = await Promise.all(
      ['a', 'b'].map((story) =>
        call('PUT', `/api/memory-tags/${id}`, { token, body: { story }, headers: { 'if-match': '"4"' } }),
      ),
    );
    t.same(both.map(({ status }) => status).sort(), [200, 412], 'of two parallel requests one fails');
  });

  await t.test('accepts an unchanged deleted code, and rejects a new one', async (t) => {
    const path = `/api/memory-tags/${id}`;
    t.equal((await call('PUT', path, { token, body: { qrCodeId } })).status, 200);
    const deleted = { status: 'DELETED', deletedAt: new Date() };
    await test.database.client.qrCode.update({ where: { id: qrCodeId }, data: deleted });
    t.equal((await call('PUT', path, { token, body: { qrCodeId, name: 'K. Brandt' } })).status, 200);
    t.equal((await call('PUT', path, { token, body: { qrCodeId: null } })).status, 200);
    t.equal((await call('PUT', path, { token, body: { qrCodeId } })).status, 404);
  });

  await t.test('deletes a memory tag', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const gone = await call('DELETE', `/api/memory-tags/${id}`, { token });
      t.same(gone.body, { id, deleted: true });
    });
    t.same(
      trail.map(({ action }) => action),
      ['MEMORY_TAG_DELETED'],
    );
    t.equal((await call('GET', `/api/memory-tags/${id}`, { token })).status, 404);
  });
});

t.test('reports each invalid field', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const { id, accessToken: token } = await createUser();
  const pet = await insertTestQrCode(test, id, { id: generateAbsentId(), kind: 'PET' });
  const wrong: [Record<string, unknown>, string][] = [
    [{}, 'name REQUIRED'],
    [{ name: '' }, 'name TOO_SHORT'],
    [{ name: '   ' }, 'name BAD_FORMAT'],
    [{ name: null }, 'name WRONG_TYPE'],
    [{ name: 'x'.repeat(201) }, 'name TOO_LONG'],
    [{ name: 'a\nb' }, 'name BAD_FORMAT'],
    [{ name: 'Rex', bornOn: '2024-02-30' }, 'bornOn BAD_FORMAT'],
    [{ name: 'Rex', bornOn: '0000-01-01' }, 'bornOn BAD_FORMAT'],
    [{ name: 'Rex', bornOn: 1931 }, 'bornOn WRONG_TYPE'],
    [{ name: 'Rex', bornOn: '2020-01-02', diedOn: '2020-01-01' }, 'diedOn TOO_SMALL'],
    [{ name: 'Rex', qrCodeId: 'x' }, 'qrCodeId BAD_FORMAT'],
    [{ name: 'Rex', qrCodeId: pet }, 'qrCodeId NOT_ALLOWED'],
    [{ name: 'Rex', story: 'x'.repeat(20_001) }, 'story TOO_LONG'],
  ];
  for (const [body, expected] of wrong) {
    const answer = await call('POST', '/api/memory-tags', { token, body });
    t.equal(answer.status, 400, answer.text);
    const found = (answer.body.errors ?? []).map(
      (one: { field: string; code: string }) => `${one.field} ${one.code}`,
    );
    t.equal(found.sort().join(), expected);
  }
  const response = await call('POST', '/api/memory-tags', {
    token,
    body: { name: 'a\nb', bornOn: '17.5.1931' },
  });
  t.match(response.body.errors, [
    { field: 'name', message: /^Must be a single non-blank line/ },
    { field: 'bornOn', message: /^Must match the format: Date .* YYYY, YYYY-MM or YYYY-MM-DD/ },
  ]);
  t.equal(await database.client.memoryTag.count(), 0);
  const { body: tag } = await call('POST', '/api/memory-tags', {
    token,
    body: { name: 'Rex', bornOn: '2020-01-02' },
  });
  const late = await call('PUT', `/api/memory-tags/${tag.id}`, { token, body: { diedOn: '2020-01-01' } });
  t.equal(late.status, 400, 'days are compared with what is stored');
  t.equal(
    (await call('PUT', `/api/memory-tags/${tag.id}`, { token, body: { bornOn: null, diedOn: '2020-01-01' } }))
      .status,
    200,
  );
});

t.test('hides memory tags and codes of other users', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const eve = await createUser();
  const token = eve.accessToken;
  const qrCodeId = await insertTestQrCode(test, ada.id, { id: generateAbsentId(), kind: 'MEMORY_TAG' });
  const { body: tag } = await call('POST', '/api/memory-tags', {
    token: ada.accessToken,
    body: { ...KATHARINA, qrCodeId },
  });
  const { body: own } = await call('POST', '/api/memory-tags', { token, body: { name: 'Minka' } });
  const before = await database.client.memoryTag.findMany({ orderBy: { id: 'asc' } });
  const calls: [string, string, unknown?][] = [
    ['GET', `/api/memory-tags/${tag.id}`],
    ['PUT', `/api/memory-tags/${tag.id}`, { name: 'Eve' }],
    ['PATCH', `/api/memory-tags/${tag.id}`, { name: 'Eve' }],
    ['DELETE', `/api/memory-tags/${tag.id}`],
    ['POST', '/api/memory-tags', { name: 'Eve', qrCodeId }],
    ['PATCH', `/api/memory-tags/${own.id}`, { qrCodeId }],
    ['GET', `/api/memory-tags/${generateAbsentId()}`],
  ];
  for (const [method, path, body] of calls) {
    const trail = await captureAuditEntries(test, async () => {
      const answer = await call(method, path, { token, body });
      t.equal(answer.status, 404, `${method} ${path} ${answer.text}`);
    });
    t.same(
      trail.map(({ action }) => action),
      ['ACCESS_DENIED'],
      `${method} ${path}`,
    );
  }
  t.same(await database.client.memoryTag.findMany({ orderBy: { id: 'asc' } }), before);
  const list = await call('GET', '/api/memory-tags', { token });
  t.same(
    list.body.data.map((one: { id: string }) => one.id),
    [own.id],
  );
});

t.test('allows reading but not creating without a profile', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token } = await createUser({ profile: false });
  t.equal((await call('GET', '/api/memory-tags', { token })).status, 200);
  const refused = await call('POST', '/api/memory-tags', { token, body: { name: 'Rex' } });
  t.equal(refused.status, 403);
  t.equal(refused.body.code, 'PROFILE_REQUIRED');
  t.equal(await database.client.memoryTag.count(), 0);
});

t.test('enforces the quota in parallel requests', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { id, accessToken: token } = await createUser();
  const make = (headers: Record<string, string> = {}) =>
    call('POST', '/api/memory-tags', { token, body: { name: 'Rex' }, headers });
  const key = { 'idempotency-key': 'the-first-of-five-tags' };
  for (let round = 1; round <= 3; round += 1) {
    await database.client.memoryTag.deleteMany({ where: { accountId: id } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => make()));
    const refused = answers.filter(({ status }) => status !== 201);
    t.equal(answers.length - refused.length, 5, `round ${round}`);
    for (const { status, body } of refused)
      t.match(
        { status, ...body },
        { status: 403, code: 'PLAN_LIMIT_REACHED', limit: 'memoryTags', used: 5, allowed: 5 },
      );
    t.equal(await database.client.memoryTag.count({ where: { accountId: id } }), 5);
  }
  const plan = (await call('GET', '/api/subscription/status', { token })).body;
  t.match(plan, { usage: { memoryTags: 5 }, limits: { memoryTags: 5 } });
  const [first] = (await call('GET', '/api/memory-tags', { token })).body.data;
  t.equal((await call('PUT', `/api/memory-tags/${first.id}`, { token, body: { name: 'Max' } })).status, 200);
  await call('DELETE', `/api/memory-tags/${first.id}`, { token });
  t.equal((await make(key)).status, 201, 'what is deleted makes room');
  t.equal((await make()).status, 403);
  t.equal((await make(key)).status, 201, 'the answer of before, once more');

  await database.pool.query(
    "UPDATE subscription_packages SET limits = limits || '{\"memoryTags\": null}' WHERE code = 'FREE'",
  );
  t.equal((await make()).status, 201, 'null is no limit');
});

t.test('ids and metadata of the owner are found, unique and not for caretakers', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const caretaker = await createUser();
  const create = (body: object) =>
    call('POST', '/api/memory-tags', { token, body: { name: 'Erna', ...body } });
  const listIds = async (query: string) =>
    (await call('GET', `/api/memory-tags?${query}`, { token })).body.data.map(({ id }: { id: string }) => id);

  const reference = { externalId: 'grave-12', metadata: { row: 'B' } };
  const made = await create(reference);
  t.match(made, { status: 201, body: reference }, made.text);
  const path = `/api/memory-tags/${made.body.id}`;
  const { body: other } = await create({ metadata: { row: 'C' } });
  t.match(other, { externalId: null });
  t.same(await listIds('externalId=grave-12'), [made.body.id]);
  t.same(await listIds('metadata=row:C'), [other.id]);
  t.match(await create({ externalId: 'grave-12' }), { status: 409, body: { code: 'EXTERNAL_ID_TAKEN' } });
  const changeOther = (body: object) => call('PATCH', `/api/memory-tags/${other.id}`, { token, body });
  t.match(await changeOther({ externalId: 'grave-12' }), { status: 409 });
  t.match((await changeOther({ metadata: { row: null, plot: '3' } })).body, { metadata: { plot: '3' } });

  await call('POST', `${path}/caretakers`, { token, body: { email: caretaker.email } });
  const asCaretaker = { token: caretaker.accessToken };
  const { body: received } = await call('GET', path, asCaretaker);
  t.match(received, { role: 'CARETAKER', externalId: null });
  t.same(received.metadata, {});
  const { body: caring } = await call('GET', '/api/memory-tags/caring', asCaretaker);
  t.match(caring.data, [{ memoryTag: { externalId: null, metadata: {} } }]);
  t.notMatch(JSON.stringify(caring), /grave-12|"row"/);
  t.match(await call('PATCH', path, { ...asCaretaker, body: { ...received, story: 'She sang.' } }), {
    status: 200,
  });
  t.match(await call('PATCH', path, { ...asCaretaker, body: { metadata: { row: 'D' } } }), { status: 403 });
  t.match((await call('GET', path, { token })).body, { ...reference, story: 'She sang.' });
});

t.test('a client learns which memory tags were changed and deleted since a time', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const since = new Date(Date.now() - 60_000).toISOString();
  const create = async (name: string): Promise<string> =>
    (await call('POST', '/api/memory-tags', { token, body: { name } })).body.id;
  const [first, second] = [await create('Erna'), await create('Otto')];
  await call('PATCH', `/api/memory-tags/${first}`, { token, body: { name: 'Emma' } });
  await call('DELETE', `/api/memory-tags/${second}`, { token });
  const { body } = await call('GET', `/api/memory-tags?updatedSince=${since}`, { token });
  t.match(body, { data: [{ name: 'Emma' }], deleted: [{ id: second, deletedAt: String }] });
  t.equal(body.data.length + body.deleted.length, 2);
  t.same((await call('GET', '/api/memory-tags?sort=-updatedAt', { token })).body.data.length, 1);
});
