import { cleanUpSavedViews } from '../../../src/features/codes/saved-views/change-saved-views.use-case.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createTestCode } from './code-helper.ts';

const app = await startTestApp(t);
const PATH = '/api/saved-views';
const DAY_MS = 86_400_000;

const send = (method: string, path: string, user: TestUser, body?: object, headers = {}) =>
  app.call(method, `${PATH}${path}`, { token: user.accessToken, body, headers });

const listNames = async (user: TestUser) =>
  (await send('GET', '', user)).body.data.map(({ name }: { name: string }) => name);

t.test('a view stores the parameters of the list, and finds the same codes by them', async (t) => {
  const user = await app.createUser();
  await createTestCode(app, user, { title: 'Jacket', metadata: { class: '3b' } });
  await createTestCode(app, user, { title: 'Bag', metadata: { class: '4a' } });
  const query = { kind: 'PET', status: 'ACTIVE', metadata: 'class:3b', sort: 'title' };
  const created = await send('POST', '', user, { name: 'Class 3b', query });
  t.equal(created.status, 201, created.text);
  t.match(created.body, { name: 'Class 3b', query, position: 1, version: 1 });
  t.equal(created.headers.location, `${PATH}/${created.body.id}`);
  const read = await send('GET', `/${created.body.id}`, user);
  t.same(read.body, created.body);
  t.equal(read.headers.etag, '"1"');
  const list = await app.call('GET', `/api/qrcodes?${new URLSearchParams(read.body.query)}`, {
    token: user.accessToken,
  });
  t.same(
    list.body.data.map(({ title }: { title: string }) => title),
    ['Jacket'],
  );
});

t.test('views are listed by position, in pages', async (t) => {
  const user = await app.createUser();
  await send('POST', '', user, { name: 'second', query: {}, position: 2 });
  for (const name of ['third', 'fourth']) await send('POST', '', user, { name, query: {} });
  await send('POST', '', user, { name: 'first', query: {}, position: 1 });
  t.same(await listNames(user), ['first', 'second', 'third', 'fourth']);
  const page = (await send('GET', '?limit=3', user)).body;
  t.match(page.pagination, { hasMore: true, total: 4 });
  const rest = (await send('GET', `?limit=3&cursor=${page.pagination.nextCursor}`, user)).body;
  t.match(rest, { data: [{ name: 'fourth' }], pagination: { hasMore: false } });
});

t.test('a view is renamed and changed, by whoever knows its version', async (t) => {
  const user = await app.createUser();
  const { id } = (await send('POST', '', user, { name: 'Dogs', query: { kind: 'PET' } })).body;
  const entries = await captureAuditEntries(app, async () => {
    const renamed = await send('PATCH', `/${id}`, user, { name: 'Animals' }, { 'if-match': '"1"' });
    t.match(renamed.body, { name: 'Animals', query: { kind: 'PET' }, version: 2 });
    t.equal(renamed.headers.etag, '"2"');
    t.equal((await send('PATCH', `/${id}`, user, { name: 'Pets' }, { 'if-match': '"1"' })).status, 412);
    const same = await send('PATCH', `/${id}`, user, { name: 'Animals', query: { kind: 'PET' } });
    t.equal(same.body.version, 2, 'what is already stored changes nothing');
  });
  t.match(entries, [{ action: 'SAVED_VIEW_UPDATED', changes: ['name'] }]);
  t.equal(entries.length, 1);
  const changed = await send('PATCH', `/${id}`, user, { query: { status: 'LOST' } });
  t.same(changed.body.query, { status: 'LOST' }, 'the query is replaced as a whole');
  t.equal((await send('DELETE', `/${id}`, user, undefined, { 'if-match': '"2"' })).status, 412);
});

t.test('a deleted view comes back within a day', async (t) => {
  const user = await app.createUser();
  const { id } = (await send('POST', '', user, { name: 'Dogs', query: { kind: 'PET' } })).body;
  const entries = await captureAuditEntries(app, async () => {
    t.same((await send('DELETE', `/${id}`, user)).body, { id, deleted: true });
    t.equal((await send('GET', `/${id}`, user)).status, 404);
    t.equal((await send('PATCH', `/${id}`, user, { name: 'x' })).status, 404);
    t.same(await listNames(user), []);
    t.match((await send('POST', `/${id}/restore`, user)).body, { name: 'Dogs', query: { kind: 'PET' } });
  });
  const changes = entries.filter(({ outcome }) => outcome === 'SUCCESS').map(({ action }) => action);
  t.same(changes.toSorted(), ['SAVED_VIEW_DELETED', 'SAVED_VIEW_RESTORED']);
  t.equal((await send('POST', `/${id}/restore`, user)).status, 404, 'one that is not deleted');
  await send('DELETE', `/${id}`, user);
  const key = { accountId_id: { accountId: user.id, id } };
  const deletedAt = new Date(Date.now() - DAY_MS - 60_000);
  await app.database.client.savedView.update({ where: key, data: { deletedAt } });
  t.equal((await send('POST', `/${id}/restore`, user)).status, 404);
  await cleanUpSavedViews(app.services);
  t.equal(await app.database.client.savedView.findUnique({ where: key }), null);
});

t.test('an account can have 50 views, and keeps 50 deleted ones', async (t) => {
  const user = await app.createUser();
  const data = Array.from({ length: 49 }, (_, index) => ({
    accountId: user.id,
    id: generateId(),
    name: `${index}`,
    query: {},
    position: 1,
  }));
  await app.database.client.savedView.createMany({ data });
  const { id } = (await send('POST', '', user, { name: 'last', query: {} })).body;
  const refused = await send('POST', '', user, { name: 'more', query: {} });
  t.match(refused, { status: 409, body: { code: 'TOO_MANY_SAVED_VIEWS' } });
  await send('DELETE', `/${id}`, user);
  t.equal((await send('POST', '', user, { name: 'more', query: {} })).status, 201);
  t.match(await send('POST', `/${id}/restore`, user), {
    status: 409,
    body: { code: 'TOO_MANY_SAVED_VIEWS' },
  });
  const deletedAt = new Date();
  const where = { accountId: user.id, deletedAt: null };
  await app.database.client.savedView.updateMany({ where, data: { deletedAt } });
  const newest = (await send('POST', '', user, { name: 'newest', query: {} })).body.id;
  await send('DELETE', `/${newest}`, user);
  t.equal(await app.database.client.savedView.count({ where: { accountId: user.id } }), 50);
  t.equal((await send('POST', `/${newest}/restore`, user)).status, 200);
});

t.test('what the list of codes cannot have is refused', async (t) => {
  const user = await app.createUser();
  for (const query of [
    { kind: 'NONE' },
    { status: 'DELETED' },
    { sort: 'none' },
    { metadata: 'no pair' },
    { notScannedSince: 'yesterday' },
    { search: '' },
  ]) {
    const refused = await send('POST', '', user, { name: 'x', query });
    t.equal(refused.status, 400, JSON.stringify(query));
    t.match(refused.body.errors, [{ field: `query.${Object.keys(query)[0]}` }]);
  }
  t.equal((await send('POST', '', user, { name: ' ', query: {} })).status, 400);
  t.equal((await send('POST', '', user, { name: 'x'.repeat(61), query: {} })).status, 400);
});

t.test('a view is of its account alone', async (t) => {
  const user = await app.createUser();
  const stranger = await app.createUser();
  const { id } = (await send('POST', '', user, { name: 'Dogs', query: { search: 'Rex' } })).body;
  t.same(await listNames(stranger), []);
  for (const [method, path, body] of [
    ['GET', `/${id}`],
    ['PATCH', `/${id}`, { name: 'taken' }],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/restore`],
  ] as const)
    t.equal((await send(method, path, stranger, body)).status, 404, `${method} ${path}`);
  t.same(await listNames(user), ['Dogs']);
});
