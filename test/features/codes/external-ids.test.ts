import { t } from '../../tap.ts';
import { startScans } from '../scans/helper.ts';

const DOG = { kind: 'PET', title: 'Rex', data: { name: 'Rex', species: 'Dog' } };
const COLLECTION = '/api/qrcodes';
const pathOf = (externalId: string) => `${COLLECTION}/by-external-id/${encodeURIComponent(externalId)}`;

t.test('codes have ids and metadata of their owner', async (t) => {
  const { call, owner, createUser, database } = await startScans(t);
  const { accessToken: token } = owner;
  const create = (body: object) => call('POST', COLLECTION, { token, body: { ...DOG, ...body } });
  const list = async (query: string, as = token) => {
    const { status, body } = await call('GET', `${COLLECTION}?${query}`, { token: as });
    return status === 200 ? body.data.map(({ externalId }: { externalId: string }) => externalId) : body;
  };

  const made = await create({ externalId: 'tag/1', metadata: { order: '4711', batch: 'May: red' } });
  t.match(made, {
    status: 201,
    body: { externalId: 'tag/1', metadata: { order: '4711', batch: 'May: red' } },
  });
  t.match((await create({})).body, { externalId: null, metadata: {} });
  const { id } = made.body;

  await t.test('a code is found by either', async (t) => {
    await create({ externalId: 'tag/2', metadata: { order: '4711' } });
    t.match(await call('GET', pathOf('tag/1'), { token }), { status: 200, body: { id } });
    t.match(await call('GET', pathOf('tag/3'), { token }), { status: 404 });
    t.same(await list('externalId=tag/1'), ['tag/1']);
    t.same(await list('metadata=order:4711'), ['tag/2', 'tag/1']);
    t.same(await list('metadata=batch:May:+red'), ['tag/1']);
    t.same(await list('metadata=order:4711&metadata=batch:May:+red'), ['tag/1'], 'both pairs match');
    t.same(await list('metadata=order:4711&metadata=order:4712'), []);
    t.same(await list('externalId=tag/1&externalId=tag/2&externalId=tag/3'), ['tag/2', 'tag/1']);
    t.same(await list('metadata=order:471'), []);
    t.match(await list('metadata=order'), { errors: [{ field: 'metadata', code: 'BAD_FORMAT' }] });
  });

  await t.test('an id is unique among the codes of an owner', async (t) => {
    t.match(await create({ externalId: 'tag/1' }), { status: 409, body: { code: 'EXTERNAL_ID_TAKEN' } });
    const other = await createUser({ email: 'other@example.org' });
    const body = { ...DOG, externalId: 'tag/1' };
    t.match(await call('POST', COLLECTION, { token: other.accessToken, body }), { status: 201 });
    t.same(await list('externalId=tag/1', other.accessToken), ['tag/1']);
    t.same(await list('metadata=order:4711', other.accessToken), []);
    const change = await call('PATCH', `${COLLECTION}/${id}`, { token, body: { externalId: 'tag/2' } });
    t.match(change, { status: 409, body: { code: 'EXTERNAL_ID_TAKEN' } });
  });

  await t.test('changes merge metadata, and null clears', async (t) => {
    const change = async (body: object) => (await call('PATCH', `${COLLECTION}/${id}`, { token, body })).body;
    t.match(await change({ title: 'Max' }), { externalId: 'tag/1' });
    t.same((await change({ metadata: { order: '4712', batch: null } })).metadata, { order: '4712' });
    t.same((await change({ metadata: null })).metadata, {});
    t.equal((await change({ externalId: null })).externalId, null);
    t.equal((await change({ externalId: 'tag/1' })).externalId, 'tag/1');
    const pairs = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [prefix + n, '']));
    t.equal(Object.keys((await change({ metadata: pairs('a') })).metadata).length, 50);
    t.match(await change({ metadata: pairs('b') }), { errors: [{ field: 'metadata', code: 'TOO_MANY' }] });
  });

  await t.test('invalid ones are named', async (t) => {
    for (const externalId of ['', 'two words', 'Ä', 'x'.repeat(101)])
      t.match(await create({ externalId }), { status: 400, body: { errors: [{ field: 'externalId' }] } });
    for (const metadata of [
      { 'a b': '' },
      { a: 1 },
      { a: 'x'.repeat(501) },
      { a: '\u0000' },
      { ['x'.repeat(41)]: '' },
    ])
      t.match(await create({ metadata }), { status: 400 }, JSON.stringify(metadata).slice(0, 60));
  });

  await t.test('PUT creates a code or updates it', async (t) => {
    const put = (body: object, headers = {}) => call('PUT', pathOf('tag/4'), { token, body, headers });
    const created = await put({ ...DOG, metadata: { order: '1' } });
    t.match(created, { status: 201, body: { externalId: 'tag/4', metadata: { order: '1' } } });
    t.equal(created.headers.location, `${COLLECTION}/${created.body.id}`);
    const updated = await put({ ...DOG, title: 'Max', metadata: { batch: '2' } });
    t.match(updated, {
      status: 200,
      body: { id: created.body.id, title: 'Max', metadata: { order: '1', batch: '2' } },
    });
    const { version, updatedAt } = updated.body;
    const repeated = await put({ ...DOG, title: 'Max', metadata: { batch: '2' } });
    t.match(repeated, { status: 200, body: { version, updatedAt } }, 'nothing changes, nothing is stored');
    t.match(await put({ ...DOG, kind: 'CAR' }), { status: 409 });
    t.match(await put({ ...DOG, externalId: 'tag/5' }), {
      status: 400,
      body: { errors: [{ field: 'externalId' }] },
    });
    t.match(await put(DOG, { 'if-match': '"1"' }), { status: 412 });
    const { rows } = await database.pool.query(
      `SELECT action FROM audit_entries WHERE resource_id = $1 ORDER BY created_at`,
      [created.body.id],
    );
    t.same(
      rows.map(({ action }) => action),
      ['QRCODE_CREATED', 'QRCODE_UPDATED'],
    );
  });

  await t.test('PUT ignores an Idempotency-Key: the code may be gone', async (t) => {
    const headers = { 'idempotency-key': 'put-by-external-id' };
    const put = () => call('PUT', pathOf('tag/8'), { token, body: DOG, headers });
    const first = await put();
    await call('DELETE', `${COLLECTION}/${first.body.id}`, { token });
    const again = await put();
    t.equal(again.status, 201);
    t.not(again.body.id, first.body.id);
    t.match(await call('GET', pathOf('tag/8'), { token }), { status: 200, body: { id: again.body.id } });
  });

  await t.test('concurrent PUTs make one code', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call('PUT', pathOf('tag/6'), { token, body: DOG })),
    );
    t.equal(answers.filter(({ status }) => status === 201).length, 1);
    for (const { status } of answers) t.ok([200, 201, 409].includes(status), String(status));
    t.same(await list('externalId=tag/6'), ['tag/6']);
  });

  await t.test('the id of a deleted code is free', async (t) => {
    const { body: deleted } = await create({ externalId: 'tag/7' });
    await call('DELETE', `${COLLECTION}/${deleted.id}`, { token });
    t.match(await call('GET', pathOf('tag/7'), { token }), { status: 404 });
    const { body: next } = await create({ externalId: 'tag/7' });
    const restore = () => call('POST', `${COLLECTION}/${deleted.id}/restore`, { token });
    t.match(await restore(), { status: 409, body: { code: 'EXTERNAL_ID_TAKEN' } });
    await call('PATCH', `${COLLECTION}/${next.id}`, { token, body: { externalId: null } });
    t.match(await restore(), { status: 200, body: { externalId: 'tag/7' } });
  });
});
