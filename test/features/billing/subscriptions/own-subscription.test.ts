import { generateId } from '../../../../src/shared/ids.ts';
import { generateAbsentId, startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { FAMILY_PACKAGE_ID, PERSONAL_PACKAGE_ID, startShop } from './shop-helper.ts';
import { addSubscription } from './subscription-helper.ts';

t.test('own subscription', async (t) => {
  const { call, createUser, fake, subscriber, database } = await startShop(t);
  const { client } = database;
  const path = (rest: string) => `/api/subscription/${rest}`;
  const cancel = (token: string, id: string, query = '') =>
    call('DELETE', `${path('cancel/')}${id}${query}`, { token });
  const listAuditEntries = (action: string, resourceId: string) =>
    client.auditEntry.count({ where: { action, resourceId, outcome: 'SUCCESS' } });

  await t.test('cancels at the period end, is safe to repeat, and can be undone', async (t) => {
    const { token, subscriptionId: id, providerId } = await subscriber();
    const first = await cancel(token, id);
    t.equal(first.status, 200, first.text);
    t.match(first.body, { id, status: 'ACTIVE', cancelAtPeriodEnd: true, package: { code: 'PERSONAL' } });
    t.equal(fake.subscriptions.get(providerId)?.cancelAtPeriodEnd, true);
    t.same((await cancel(token, id)).body, first.body);
    t.equal(await listAuditEntries('SUBSCRIPTION_CANCELED', id), 1);
    const status = await call('GET', path('status'), { token });
    t.match(status.body, {
      id,
      status: 'ACTIVE',
      cancelAtPeriodEnd: true,
      interval: 'month',
      currency: 'EUR',
    });
    const resumed = await call('POST', path(`${id}/keep`), { token });
    t.match(resumed.body, { id, cancelAtPeriodEnd: false });
    t.same((await call('POST', path(`${id}/keep`), { token })).body, resumed.body);
    t.equal(fake.subscriptions.get(providerId)?.cancelAtPeriodEnd, false);
  });

  await t.test('cancels now, which is final', async (t) => {
    const { token, subscriptionId: id } = await subscriber();
    await cancel(token, id);
    const ended = await cancel(token, id, '?when=NOW');
    t.match(ended.body, { id, status: 'CANCELED', endedAt: /Z$/ });
    t.same((await cancel(token, id, '?when=NOW')).body, ended.body);
    t.same((await cancel(token, id)).body, ended.body);
    t.equal((await call('POST', path(`${id}/keep`), { token })).body.code, 'SUBSCRIPTION_ENDED');
    t.match((await call('GET', path('status'), { token })).body, {
      id,
      status: 'CANCELED',
      keepsWorking: true,
    });
    const again = await call('POST', path('checkout-session'), {
      token,
      body: { packageId: PERSONAL_PACKAGE_ID, interval: 'year' },
    });
    t.equal(again.status, 201, 'who has nothing that runs may buy again');
  });

  await t.test('a client of 2026-11-27 cancels by values in lower case', async (t) => {
    const { token, subscriptionId: id } = await subscriber();
    const send = (when: string, headers = {}) =>
      call('DELETE', `${path('cancel/')}${id}?when=${when}`, { token, headers });
    const headers = { 'api-version': '2026-11-27' };
    t.match((await send('period_end', headers)).body, { status: 'ACTIVE', cancelAtPeriodEnd: true });
    t.equal((await send('now')).status, 400);
    t.equal((await send('later', headers)).status, 400);
    t.match((await send('now', headers)).body, { status: 'CANCELED' });
  });

  await t.test('another user’s subscription is 404 and unchanged', async (t) => {
    const { subscriptionId: id, providerId } = await subscriber();
    const { token: other } = await subscriber();
    for (const answer of [
      await cancel(other, id),
      await cancel(other, generateAbsentId()),
      await call('POST', path(`${id}/keep`), { token: other }),
    ])
      t.equal(answer.status, 404);
    t.equal((await cancel(other, 'x')).status, 404);
    t.equal((await cancel(other, id, '?when=later')).status, 400);
    t.equal(fake.subscriptions.get(providerId)?.cancelAtPeriodEnd, false);
  });

  await t.test('returns 503 and changes nothing while the provider is unavailable', async (t) => {
    const { token, subscriptionId: id } = await subscriber();
    const before = await client.subscription.findUniqueOrThrow({ where: { id } });
    fake.state.isUnavailable = true;
    const failed = await cancel(token, id);
    fake.state.isUnavailable = false;
    t.same(
      [failed.status, failed.body.code, failed.headers['retry-after']],
      [503, 'PROVIDER_UNAVAILABLE', '7'],
    );
    t.same(await client.subscription.findUniqueOrThrow({ where: { id } }), before);
    t.equal(await listAuditEntries('SUBSCRIPTION_CANCELED', id), 0);
  });

  await t.test('a lost response does no harm: canceling again is 200', async (t) => {
    const { token, subscriptionId: id } = await subscriber();
    fake.loseResponseOf('cancelSubscription');
    t.equal((await cancel(token, id, '?when=NOW')).status, 503);
    t.match((await cancel(token, id, '?when=NOW')).body, { status: 'CANCELED' });
  });

  await t.test('rejects changes of a subscription of another provider', async (t) => {
    const { token, subscriptionId: id } = await subscriber();
    await client.subscription.update({ where: { id }, data: { provider: 'former' } });
    t.equal((await cancel(token, id)).body.code, 'BILLING_DISABLED');
  });

  await t.test('charges a change as previewed', async (t) => {
    const { token, subscriptionId: id, providerId } = await subscriber();
    const input = { packageId: FAMILY_PACKAGE_ID, interval: 'month' };
    const preview = await call('POST', path('change/preview'), { token, body: input });
    t.equal(preview.status, 200, preview.text);
    t.match(preview.body, { subscriptionId: id, ...input, currency: 'EUR', dueNow: 300, perPeriod: 600 });
    const body = { ...input, previewedAt: preview.body.previewedAt };
    const changed = await call('POST', path('change'), { token, body });
    t.equal(changed.status, 200, changed.text);
    t.match(changed.body, { id, package: { code: 'FAMILY' }, price: 600, status: 'ACTIVE' });
    t.same((await call('POST', path('change'), { token, body })).body, changed.body);
    t.equal(fake.calls.filter((name) => name === 'changeSubscription').length, 1);
    const before = { packageId: PERSONAL_PACKAGE_ID, interval: 'month', currency: 'EUR' };
    t.match(await client.subscriptionChange.findMany({ where: { subscriptionId: id } }), [before]);
    t.equal(await listAuditEntries('SUBSCRIPTION_CHANGED', id), 1);
    t.equal(fake.subscriptions.get(providerId)?.id, providerId);
    const same = await call('POST', path('change/preview'), { token, body: input });
    t.match(same.body, { code: 'ALREADY_SUBSCRIBED', detail: /already has this package and interval/ });
  });

  await t.test('does not repeat a change with a lost response, also after another preview', async (t) => {
    const { token } = await subscriber();
    const input = { packageId: PERSONAL_PACKAGE_ID, interval: 'year' };
    const before = fake.calls.length;
    const preview = async () =>
      (await call('POST', path('change/preview'), { token, body: input })).body.previewedAt;
    const previewedAt = await preview();
    const change = (at: string) =>
      call('POST', path('change'), { token, body: { ...input, previewedAt: at } });
    fake.loseResponseOf('changeSubscription');
    t.equal((await change(previewedAt)).status, 503);
    t.match((await change(await preview())).body, { interval: 'year', price: 3000 });
    const made = fake.calls.slice(before).filter((name) => name === 'changeSubscription');
    t.equal(made.length, 1);
  });

  await t.test('a change that cannot be paid now waits and changes nothing', async (t) => {
    const { token, subscriptionId: id } = await subscriber();
    fake.settings.declines = true;
    const body = { packageId: FAMILY_PACKAGE_ID, interval: 'month', previewedAt: new Date().toISOString() };
    const waiting = await call('POST', path('change'), { token, body });
    t.same([waiting.status, waiting.body.code], [409, 'PAYMENT_PENDING']);
    fake.settings.declines = false;
    t.match((await call('GET', path('status'), { token })).body, { id, package: { code: 'PERSONAL' } });
    t.equal(await listAuditEntries('SUBSCRIPTION_CHANGED', id), 0);
  });

  await t.test('rejects invalid changes', async (t) => {
    const { token } = await subscriber();
    const body = { packageId: FAMILY_PACKAGE_ID, interval: 'month', previewedAt: new Date().toISOString() };
    const getErrorCode = async (changes: object, as = token) =>
      (await call('POST', path('change'), { token: as, body: { ...body, ...changes } })).body.code;
    t.equal(await getErrorCode({ previewedAt: '2020-01-01T00:00:00.000Z' }), 'PREVIEW_EXPIRED');
    t.equal(await getErrorCode({ previewedAt: '2999-01-01T00:00:00.000Z' }), 'PREVIEW_EXPIRED');
    t.equal(await getErrorCode({ previewedAt: 'now' }), 'VALIDATION_FAILED');
    t.equal(await getErrorCode({ packageId: generateAbsentId() }), 'NOT_FOUND');
    const { accessToken: newcomer } = await createUser();
    t.equal(await getErrorCode({}, newcomer), 'NO_SUBSCRIPTION');
    const unpaid = await subscriber();
    for (const state of ['INCOMPLETE', 'UNPAID', 'PAUSED']) {
      await client.subscription.updateMany({ where: { id: unpaid.subscriptionId }, data: { state } });
      t.equal(await getErrorCode({}, unpaid.token), 'NO_SUBSCRIPTION', state);
    }
  });

  await t.test('the billing portal requires a purchase', async (t) => {
    const { token } = await subscriber();
    const headers = { 'idempotency-key': 'portal-0123456789ab' };
    const opened = await call('POST', path('portal-session'), { token, headers });
    t.equal(opened.status, 201, opened.text);
    t.match(opened.body.url, /^https:\/\/pay\.example\/portal\/cus_\d+\?back=https:\/\/qr\.example\.org\//);
    const repeat = await call('POST', path('portal-session'), { token, headers });
    t.same([repeat.status, repeat.body.code], [409, 'RESPONSE_NOT_STORED'], 'the link is a credential');
    t.equal(fake.calls.filter((name) => name === 'openPortal').length, 1);
    const { accessToken: newcomer } = await createUser();
    const none = await call('POST', path('portal-session'), { token: newcomer });
    t.same([none.status, none.body.code], [409, 'NO_CUSTOMER']);
    fake.state.isUnavailable = true;
    t.equal((await call('POST', path('portal-session'), { token })).status, 503);
    fake.state.isUnavailable = false;
  });

  await t.test('lists invoices newest first, without drafts and those of other users', async (t) => {
    const { id: userId, token, subscriptionId } = await subscriber();
    const { token: other } = await subscriber();
    const invoice = (number: number, state = 'PAID') => ({
      id: generateId(),
      accountId: userId,
      subscriptionId,
      provider: 'fake',
      providerId: `in_${number}_${userId}`,
      number: `A-${number}`,
      state,
      currency: 'EUR',
      total: 300n,
      amountPaid: 300n,
      issuedAt: new Date(Date.UTC(2026, 0, number)),
    });
    const rows = [...Array.from({ length: 5 }, (_, index) => invoice(index + 1)), invoice(6, 'DRAFT')];
    await client.paymentInvoice.createMany({ data: rows });
    const list = (query: string, as = token) => call('GET', path(`invoices?${query}`), { token: as });
    const page = await list('limit=2&page=2');
    t.same(
      page.body.data.map(({ number }: { number: string }) => number),
      ['A-3', 'A-2'],
    );
    t.match(page.body.pagination, { page: 2, limit: 2, total: 5, totalPages: 3 });
    t.match(page.body.data[0], {
      status: 'PAID',
      total: 300,
      amountPaid: 300,
      currency: 'EUR',
      subscriptionId,
    });
    const listedIds: string[] = [];
    for (let cursor = 'start'; cursor; ) {
      const { body } = await list(`limit=2&cursor=${cursor}`);
      listedIds.push(...body.data.map(({ number }: { number: string }) => number));
      cursor = body.pagination.nextCursor ?? '';
    }
    t.same(listedIds, ['A-5', 'A-4', 'A-3', 'A-2', 'A-1']);
    t.equal((await list('', other)).body.pagination.total, 0);
    t.equal((await list('cursor=x')).status, 400);
    const known = { 'if-none-match': String((await list('limit=2')).headers.etag) };
    t.equal((await call('GET', path('invoices?limit=2'), { token, headers: known })).status, 304);

    const { id = '' } = rows[0] ?? {};
    const opened = await call('GET', path(`invoices/${id}/page`), { token });
    t.same(opened.body, { url: `https://pay.example/in_1_${userId}` });
    t.equal((await call('GET', path(`invoices/${id}/page`), { token: other })).status, 404);
    const draft = rows[5]?.id;
    t.equal((await call('GET', path(`invoices/${draft}/page`), { token })).status, 404);
  });
});

t.test('state and package come from one snapshot', async (t) => {
  const test = await startTestApp(t);
  const { id, accessToken: token } = await test.createUser();
  const subscriptionId = await addSubscription(test, id, 'FAMILY');
  const changing = new AbortController();
  const change = (async () => {
    for (let nth = 0; !changing.signal.aborted; nth += 1)
      await test.database.client.subscription.update({
        where: { id: subscriptionId },
        data: nth % 2 === 0 ? { state: 'CANCELED', endedAt: new Date() } : { state: 'ACTIVE', endedAt: null },
      });
  })();
  const pairs = new Set<string>();
  for (let nth = 0; nth < 150; nth += 1) {
    const { body } = await test.call('GET', '/api/subscription/status', { token });
    pairs.add(`${body.status} ${body.package.code}`);
  }
  changing.abort();
  await change;
  t.same([...pairs].toSorted(), ['ACTIVE FAMILY', 'CANCELED FREE']);
});
