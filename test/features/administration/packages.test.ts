import { generateAbsentId, startTestApp, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { addSubscription } from '../billing/subscriptions/subscription-helper.ts';
import { listErrorFields } from '../codes/code-helper.ts';

const URL = '/api/admin/packages';

t.test('administrators change packages', async (t) => {
  const app = await startTestApp(t);
  const { call, createUser, database } = app;
  const admin = await createUser();
  await database.client.user.update({ where: { id: admin.id }, data: { role: 'ADMIN' } });
  const token = admin.accessToken;
  const list: TestResponse = await call('GET', URL, { token });
  t.equal(list.status, 200, list.text);
  const [free, personal, family] = list.body.data;
  t.match(personal, {
    code: 'PERSONAL',
    version: 1,
    onOffer: true,
    names: { en: 'Personal', de: 'Persönlich' },
  });
  const { id: _id, code: _code, rank: _rank, version: _version, ...asIs } = personal;
  const put = (body: unknown, of = personal, headers: Record<string, string> = {}) =>
    call('PUT', `${URL}/${of.id}`, { token, body, headers });
  const versions = async (of = personal) =>
    (await call('GET', `${URL}/${of.id}/versions`, { token })).body.data;
  const dearer = [
    { interval: 'month', currency: 'EUR', amount: 400 },
    { interval: 'month', currency: 'USD', amount: 450 },
  ];

  await t.test(
    'a change creates a new version, and existing subscriptions keep the previous one',
    async (t) => {
      const before = await createUser();
      await addSubscription(app, before.id, 'PERSONAL');
      const [first] = await versions();
      const body = { ...asIs, prices: dearer, limits: { ...asIs.limits, qrCodes: 10 } };
      const trail = await captureAuditEntries(app, async () => {
        const changed = await put(body, personal, { 'if-match': '"1"' });
        t.equal(changed.status, 200, changed.text);
        t.same(changed.body, { ...personal, ...body, version: 2 });
        t.equal(changed.headers.etag, '"2"');
      });
      t.same(
        trail.map(({ action, severity, resourceId, changes }) => [action, severity, resourceId, changes]),
        [['PACKAGE_CHANGED', 'HIGH', personal.id, ['version 1 to 2', 'prices', 'limits']]],
      );
      const [second, former, ...others] = await versions();
      t.match(second, { version: 2, prices: dearer });
      t.same([former, others], [first, []], 'the previous version is unchanged');
      const after = await createUser();
      await addSubscription(app, after.id, 'PERSONAL');
      const limitOf = async ({ accessToken }: { accessToken: string }) =>
        (await call('GET', '/api/auth/me', { token: accessToken })).body.limits.qrCodes;
      t.same([await limitOf(before), await limitOf(after)], [250, 10]);
      const offers = await call('GET', '/api/subscription/all', { token: before.accessToken });
      t.same(offers.body.data[1].prices, dearer);
    },
  );

  await t.test('an unchanged package gets no new version, and an outdated If-Match is 412', async (t) => {
    const [now] = await versions();
    const { version, createdAt: _createdAt, ...content } = now;
    const body = { ...content, onOffer: true };
    const trail = await captureAuditEntries(app, async () => {
      t.match((await put(body)).body, { version }, 'unchanged content creates no version');
      t.equal((await put({ ...body, onOffer: false }, personal, { 'if-match': '"1"' })).status, 412);
    });
    t.same(trail, []);
    const headers = { 'if-match': `"${version}"` };
    const both = await Promise.all(
      ['One', 'Two'].map((en) => put({ ...body, names: { en } }, personal, headers)),
    );
    t.same(both.map(({ status }) => status).toSorted(), [200, 412]);
    t.equal((await versions()).length, version + 1);
    const shut = await put({ ...body, onOffer: false });
    t.match(shut.body, { onOffer: false, version: version + 2 });
    const offered = await call('GET', '/api/subscription/all', { token });
    t.notOk(offered.body.data.some(({ code }: { code: string }) => code === 'PERSONAL'));
  });

  await t.test('invalid names, prices, limits and features are rejected', async (t) => {
    const price = { interval: 'month', currency: 'EUR', amount: 1 };
    const wrong: [object, string[]][] = [
      [{ names: { de: 'Familie' } }, ['names.en REQUIRED']],
      [{ names: { en: ' ' } }, ['names.en BAD_FORMAT']],
      [{ names: { en: 'Family', xx: 'F' } }, ['names.xx UNKNOWN_FIELD']],
      [{ prices: [{ ...price, amount: 0 }] }, ['prices[0].amount TOO_SMALL']],
      [{ prices: [{ ...price, amount: 1.5 }] }, ['prices[0].amount WRONG_TYPE']],
      [{ prices: [{ ...price, currency: 'eur' }] }, ['prices[0].currency BAD_FORMAT']],
      [{ prices: [{ ...price, currency: 'XQX' }] }, ['prices[0].currency NOT_ALLOWED']],
      [{ prices: [{ ...price, interval: 'week' }] }, ['prices[0].interval NOT_ALLOWED']],
      [{ prices: [price, { ...price, amount: 2 }] }, ['prices[1] NOT_UNIQUE']],
      [{ prices: [{ ...price, id: 'price_1' }] }, ['prices[0].id UNKNOWN_FIELD']],
      [{ prices: [] }, ['prices TOO_FEW']],
      [{ limits: { ...asIs.limits, qrCodes: -1 } }, ['limits.qrCodes TOO_SMALL']],
      [{ limits: { ...asIs.limits, qrCodes: '5' } }, ['limits.qrCodes WRONG_TYPE']],
      [{ limits: { ...asIs.limits, teapots: 1 } }, ['limits.teapots UNKNOWN_FIELD']],
      [{ limits: { ...asIs.limits, documents: undefined } }, ['limits.documents REQUIRED']],
      [{ features: ['REPORTS', 'REPORTS'] }, ['features NOT_UNIQUE']],
      [{ features: ['<b>'] }, ['features[0] BAD_FORMAT']],
      [{ onOffer: 'yes' }, ['onOffer WRONG_TYPE']],
      [{ onOffer: undefined }, ['onOffer REQUIRED']],
    ];
    for (const [change, faults] of wrong) {
      const answer = await put({ ...asIs, ...change }, family);
      t.equal(answer.status, 400, JSON.stringify(change));
      t.same(listErrorFields(answer), faults, JSON.stringify(change));
    }
    const sold = { ...asIs, names: { en: 'Free' } };
    t.same(listErrorFields(await put({ ...sold, prices: [price] }, free)), ['prices TOO_MANY']);
    t.same(listErrorFields(await put({ ...sold, prices: [], onOffer: false }, free)), [
      'onOffer NOT_ALLOWED',
    ]);
    t.equal((await versions(family)).length, 1);
    t.equal((await put(asIs, { id: generateAbsentId() })).status, 404);
    t.equal((await call('GET', `${URL}/${generateAbsentId()}/versions`, { token })).status, 404);
  });

  await t.test('a change of the free package applies to all its users immediately', async (t) => {
    const { accessToken } = await createUser();
    const { id: _i, code: _c, rank: _r, version: _v, ...content } = free;
    t.equal((await put({ ...content, limits: { ...free.limits, qrCodes: 0 } }, free)).status, 200);
    const refused = await call('POST', '/api/qrcodes', {
      token: accessToken,
      body: { kind: 'TEXT', title: 'mine', data: { text: 'a' } },
    });
    t.match(refused.body, { code: 'PLAN_LIMIT_REACHED', allowed: 0, largerPackage: { code: 'FAMILY' } });
  });

  await t.test('the database rejects any change of an existing version', async (t) => {
    const statements = [
      "UPDATE subscription_package_versions SET prices = '[]'",
      'DELETE FROM subscription_package_versions WHERE version = 3',
    ];
    for (const sql of statements)
      await t.rejects(database.pool.query(sql), { message: 'a version of a package is never changed' });
  });
});
