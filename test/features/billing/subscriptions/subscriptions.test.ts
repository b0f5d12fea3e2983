import { LOCALES } from '../../../../src/shared/i18n/locales.ts';
import { generateAbsentId, startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { insertTestQrCode } from '../../audit-trail-helper.ts';

t.test('packages on offer', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { id, accessToken: token } = await createUser();
  const url = '/api/subscription/all';
  const answer = await call('GET', url, { token });
  t.equal(answer.status, 200, answer.text);
  const codes = answer.body.data.map((offer: { code: string }) => offer.code);
  t.same(codes, ['FREE', 'PERSONAL', 'FAMILY', 'BUSINESS', 'ENTERPRISE']);
  t.match(answer.body.pagination, { page: 1, limit: 10, total: 5, totalPages: 1 });
  const [free, personal, , , enterprise] = answer.body.data;
  t.same(Object.keys(free).sort(), ['code', 'features', 'id', 'limits', 'name', 'prices']);
  t.match(free, { id: /^[0-9a-f]{24}$/, name: 'Free', prices: [], limits: { qrCodes: 50, memoryTags: 5 } });
  t.same(personal.prices[0], { interval: 'month', currency: 'EUR', amount: 300 });
  t.equal(personal.limits.storageBytes, 2_147_483_648);
  t.equal(enterprise.limits.qrCodes, null);
  t.equal(enterprise.limits.memoryTags, null);

  await t.test('in the requested language, otherwise in that of the account', async (t) => {
    const nameIn = async (headers: Record<string, string> = {}) =>
      (await call('GET', url, { token, headers })).body.data[0].name;
    const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' };
    t.equal(await nameIn(german), 'Kostenlos');
    await call('PUT', `/api/auth/profile/${id}`, { token, body: { language: 'de-AT' } });
    t.equal(await nameIn(), 'Kostenlos');
    t.equal(await nameIn({ 'accept-language': '*' }), 'Kostenlos');
    t.equal(await nameIn({ 'accept-language': 'xx' }), 'Kostenlos');
    t.equal(await nameIn({ 'accept-language': 'en' }), 'Free');
  });

  await t.test('in every language of the service', async (t) => {
    const { rows } = await test.database.pool.query<{ names: Record<string, string> }>(
      'SELECT names FROM subscription_packages UNION ALL SELECT names FROM subscription_package_versions',
    );
    t.equal(rows.length, 11);
    for (const { names } of rows) t.same(Object.keys(names).toSorted(), [...LOCALES.keys()].toSorted());
    const answer = await call('GET', url, { token, headers: { 'accept-language': 'ja' } });
    const names = answer.body.data.map(({ name }: { name: string }) => name);
    t.same(names, ['無料', 'パーソナル', 'ファミリー', 'ビジネス', 'エンタープライズ']);
  });

  await t.test('without a retired package', async (t) => {
    const offer = (onOffer: boolean) =>
      test.database.client.subscriptionPackage.update({ where: { code: 'FAMILY' }, data: { onOffer } });
    await offer(false);
    const { body } = await call('GET', `${url}?limit=2&page=2`, { token });
    t.same(
      body.data.map(({ code }: { code: string }) => code),
      ['BUSINESS', 'ENTERPRISE'],
    );
    t.equal(body.pagination.total, 4);
    await offer(true);
  });

  await t.test('with an ETag for each language', async (t) => {
    const headers = { 'accept-language': 'en' };
    const first = await call('GET', url, { token, headers });
    t.match(String(first.headers.vary), /Accept-Language/);
    const known = { 'if-none-match': String(first.headers.etag) };
    t.equal((await call('GET', url, { token, headers: { ...headers, ...known } })).status, 304);
    t.equal((await call('GET', url, { token, headers: { 'accept-language': 'de', ...known } })).status, 200);
  });

  t.equal((await call('GET', `${url}?page=undefined&limit=2`, { token })).body.pagination.totalPages, 3);
  t.equal((await call('GET', `${url}?limit=0`, { token })).status, 400);
});

t.test('an account without a subscription has the free package', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { id, accessToken: token } = await createUser({ profile: false });
  const url = '/api/subscription/status';
  const { status, body, text, headers } = await call('GET', url, { token });
  t.equal(status, 200, text);
  t.match(body.package, { id: /^[0-9a-f]{24}$/, code: 'FREE', name: 'Free' });
  t.match(body, {
    id: null,
    status: 'NONE',
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    usage: { qrCodes: 0, memoryTags: 0, documents: 0, members: 1, storageBytes: 0 },
    limits: { qrCodes: 50, memoryTags: 5 },
    keepsWorking: true,
  });
  t.equal(headers['cache-control'], 'no-store');
  const german = { 'accept-language': 'xx, de' };
  t.equal((await call('GET', url, { token, headers: german })).body.package.name, 'Kostenlos');
  await insertTestQrCode(test, id, { id: generateAbsentId() });
  await insertTestQrCode(test, id, { id: generateAbsentId(), status: 'DELETED', deletedAt: new Date() });
  t.same((await call('GET', url, { token })).body.usage, {
    qrCodes: 1,
    memoryTags: 0,
    documents: 0,
    members: 1,
    storageBytes: 0,
  });
});
