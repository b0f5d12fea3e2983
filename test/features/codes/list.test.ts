import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createQrCodeClient, createTestCode } from './code-helper.ts';

t.test('lists codes in pages, newest first, without encrypted fields', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const empty = await call('GET', '');
  t.same(empty.body, {
    data: [],
    pagination: { page: 1, limit: 10, total: 0, totalPages: 0, nextCursor: null, hasMore: false },
  });

  const created: { id: string; title: string }[] = [];
  for (const title of ['One', 'two', 'Three', 'four', 'Five'])
    created.push(await createTestCode(app, user, { title }));
  const newestFirst = created.map(({ id }) => id).toReversed();
  const ids = async (query: string) =>
    (await call('GET', query)).body.data.map(({ id }: { id: string }) => id);
  t.same(await ids(''), newestFirst);
  t.same(await ids('?page=2&limit=2'), newestFirst.slice(2, 4));
  t.same(await ids('?sort=createdAt'), newestFirst.toReversed());
  const page = await call('GET', '?page=3&limit=2&search=');
  t.match(page.body.pagination, { page: 3, limit: 2, total: 5, totalPages: 3 });
  t.same((await call('GET', '?page=4&limit=2')).body.data, []);
  const titles = async (query: string) =>
    (await call('GET', query)).body.data.map(({ title }: { title: string }) => title);
  t.same(await titles('?sort=title'), ['Five', 'four', 'One', 'Three', 'two']);
  t.same(await titles('?sort=-title&limit=1'), ['two']);
  for (const sort of ['-lastScannedAt', 'lastScannedAt', '-scanCount', 'scanCount']) {
    t.equal((await titles(`?sort=${sort}`)).length, 5, sort);
  }

  const [item] = page.body.data;
  t.match(item, {
    id: created[0]?.id,
    mode: 'DYNAMIC',
    hasPin: false,
  });
  for (const field of ['data', 'visibility', 'design', 'lost'])
    t.notOk(field in item, `${field} is left out`);
  t.match(item.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

t.test('rejects invalid query parameters, and ignores empty, null and undefined ones', async (t) => {
  const app = await startTestApp(t);
  const call = createQrCodeClient(app, await app.createUser());
  for (const query of [
    'page=0',
    'page=-1',
    'page=1e999',
    'page=NaN',
    'page=1.5',
    'page=9007199254740992',
    'page[]=1',
    'page=1&page=2',
    'limit=0',
    'limit=101',
    'limit=1000000000',
    'sort=account_id',
    'kind=CAT',
    'status=GONE',
    `search=${'x'.repeat(101)}`,
    'search=%00',
    'search=%ff',
    'foo=bar',
    'cursor=x',
    'status=ACTIVE&status=GONE',
    'title=Rex&title=Max',
  ]) {
    const answer = await call('GET', `?${query}`);
    t.equal(answer.status, 400, query);
    t.equal(answer.body.code, 'VALIDATION_FAILED', query);
  }
  t.match((await call('GET', '?page=101&limit=100')).body, { status: 400, code: 'USE_CURSOR' });
  t.equal((await call('GET', '?page=100&limit=100')).status, 200);
  for (const query of [
    'search=',
    'search=undefined&page=null',
    'kind=&status=undefined&sort=',
    'limit=100',
    'status=&Status=ACTIVE',
  ]) {
    t.equal((await call('GET', `?${query}`)).status, 200, query);
  }
});

t.test('a search matches its literal text anywhere in title or kind, in any case and script', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const other = await app.createUser();
  const call = createQrCodeClient(app, user);
  const titles = [
    'Ärmel',
    'Zoë’s 100 % bag',
    'a_b\\c',
    '東京の犬',
    'Straße',
    'grandma suitcase zürich 9',
    'grandma suitcase zürich 8',
    "it's; DROP TABLE",
  ];
  for (const title of titles) await createTestCode(app, user, { title });
  await createTestCode(app, user, { kind: 'MEMORY_TAG', title: 'Stone' });
  await createTestCode(app, other, { title: 'Ärmel of somebody else' });
  const searchTitles = async (search: string) => {
    const answer = await call('GET', `?search=${encodeURIComponent(search)}&sort=title`);
    t.equal(answer.status, 200, answer.text);
    t.equal(answer.body.pagination.total, answer.body.data.length);
    return answer.body.data.map(({ title }: { title: string }) => title);
  };
  t.same(await searchTitles('Ä'), ['Ärmel']);
  t.same(await searchTitles('ä'), ['Ärmel']);
  t.same(await searchTitles('A\u0308RM'), ['Ärmel'], 'a decomposed letter is the same');
  t.same(await searchTitles('%'), ['Zoë’s 100 % bag']);
  t.same(await searchTitles('_'), ['a_b\\c', 'Stone'], 'an underscore stands for itself; MEMORY_TAG has one');
  t.same(await searchTitles('\\'), ['a_b\\c']);
  t.same(await searchTitles('%%'), []);
  t.same(await searchTitles('犬'), ['東京の犬']);
  t.same(await searchTitles('東京'), ['東京の犬']);
  t.same(await searchTitles('東京の'), ['東京の犬']);
  t.same(await searchTitles('STRASSE'), []);
  t.same(await searchTitles('STRAß'), ['Straße']);
  t.same(await searchTitles('Zürich 9'), ['grandma suitcase zürich 9']);
  t.same(
    await searchTitles('GRANDMA suitcase ZÜRICH 8'),
    ['grandma suitcase zürich 8'],
    'to its last letter',
  );
  t.same(await searchTitles('grandma suitcase % 8'), []);
  t.same(await searchTitles('memory tag'), ['Stone']);
  t.same(await searchTitles('MEMORY_TAG'), ['Stone']);
  t.same(await searchTitles("'; DROP"), []);
  t.same(await searchTitles("'s; DROP TABLE"), ["it's; DROP TABLE"]);
  t.same(await searchTitles('(a+)+$'), []);
  t.same(await searchTitles('  stone  '), ['Stone']);
  t.equal((await searchTitles('pet')).length, titles.length);
  t.equal((await call('GET', '?kind=memory-tag')).body.pagination.total, 1);
});

t.test('a search finds a code by its whole external id, and none of another account', async (t) => {
  const app = await startTestApp(t);
  const [user, other] = [await app.createUser(), await app.createUser()];
  await createTestCode(app, user, { title: 'Jacket', externalId: '017' });
  await createTestCode(app, user, { title: 'Bag 017', externalId: '0171' });
  await createTestCode(app, other, { title: 'Jacket', externalId: '017' });
  const searchTitles = async (search: string) => {
    const answer = await createQrCodeClient(app, user)('GET', `?search=${search}&sort=title`);
    t.equal(answer.body.pagination.total, answer.body.data.length);
    return answer.body.data.map(({ title }: { title: string }) => title);
  };
  t.same(await searchTitles('017'), ['Bag 017', 'Jacket']);
  t.same(await searchTitles('0171'), ['Bag 017']);
  t.same(await searchTitles('17'), ['Bag 017'], 'a part of it is not enough');
});

t.test('the list can be filtered by the current status', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const codes: Record<string, { id: string }> = {};
  for (const title of ['active', 'paused', 'lost', 'expired', 'deleted'])
    codes[title] = await createTestCode(app, user, { title });
  await call('PUT', `/${codes.paused?.id}`, { status: 'PAUSED' });
  await call('POST', `/${codes.lost?.id}/lost`, {});
  await call('DELETE', `/${codes.deleted?.id}`);
  await app.database.client.qrCode.update({
    where: { id: codes.expired?.id ?? '' },
    data: { expiresAt: new Date(Date.now() - 1000) },
  });
  const listed = async (query: string) =>
    (await call('GET', query)).body.data.map(
      ({ title, status }: { title: string; status: string }) => `${title} ${status}`,
    );
  for (const status of ['ACTIVE', 'PAUSED', 'LOST', 'EXPIRED', 'DELETED']) {
    t.same(await listed(`?status=${status}`), [`${status.toLowerCase()} ${status}`]);
  }
  t.same(await listed('?status=LOST&status=PAUSED&status=DELETED&sort=title'), [
    'deleted DELETED',
    'lost LOST',
    'paused PAUSED',
  ]);
  t.same(await listed('?sort=title'), ['active ACTIVE', 'expired EXPIRED', 'lost LOST', 'paused PAUSED']);
});

t.test('a list has an ETag, is private, and is 304 until something changes', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user);
  const first = await call('GET', '');
  const tag = String(first.headers.etag);
  t.match(tag, /^W\/"[\w-]+"$/);
  t.equal(first.headers['cache-control'], 'private, no-cache');
  const again = await call('GET', '', undefined, { 'if-none-match': `"x", ${tag}` });
  t.match([again.status, again.text, again.headers.etag], [304, '', tag]);
  await call('PUT', `/${code.id}`, { title: 'Max' });
  const changed = await call('GET', '', undefined, { 'if-none-match': tag });
  t.equal(changed.status, 200);
  t.not(changed.headers.etag, tag);
  const kinds = await call('GET', '/kinds');
  t.equal(
    (await call('GET', '/kinds', undefined, { 'if-none-match': String(kinds.headers.etag) })).status,
    304,
  );
});
