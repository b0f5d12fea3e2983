import { openCheckout } from '../../../../src/features/billing/subscriptions/open-checkout.use-case.ts';
import { requireBilling } from '../../../../src/features/billing/subscriptions/purchase-services.ts';
import { auditAs } from '../../../../src/platform/route-access.ts';
import { PaymentError } from '../../../../src/providers/payments/payments.port.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { generateAbsentId, startTestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { FAMILY_PACKAGE_ID, FREE_PACKAGE_ID, PERSONAL_PACKAGE_ID, startShop } from './shop-helper.ts';

const NOBODY = {
  role: 'USER',
  status: 'ACTIVE',
  timeZone: 'UTC',
  language: 'en',
  sessionId: generateId(),
  apiKey: null,
  isEnterprise: false,
  mustEnroll: false,
};

/** A user who acts for the personal account. */
const toCurrentUser = ({ id = '', email = 'ada@example.org', sessionId = NOBODY.sessionId }) => {
  const account = {
    id,
    type: 'PERSONAL',
    role: 'OWNER',
    status: 'ACTIVE',
    isEnterprise: false,
    mustLogIn: false,
    folderIds: null,
  } as const;
  return { ...NOBODY, id, email, sessionId, account };
};

const CALLER = {
  address: '192.0.2.1',
  userAgent: '',
  method: 'POST',
  purpose: '',
  isNavigation: false,
  acceptLanguage: undefined,
  requestId: 'test',
  operation: 'subscription.createCheckoutSession',
  idempotencyKey: undefined,
  target: '',
  audit: auditAs('CHECKOUT_OPENED'),
};

const URL_OF = '/api/subscription/checkout-session';

t.test('checkout', async (t) => {
  const {
    call,
    createUser,
    fake,
    buy,
    pageOf: findProviderPageId,
    subscriber,
    database,
    services,
  } = await startShop(t);
  const { client } = database;
  const getProviderId = async (id: string) =>
    (await client.subscription.findUniqueOrThrow({ where: { id } })).providerId;
  /** Open a checkout from another process. */
  const createCheckoutOpener = (session: Parameters<typeof toCurrentUser>[0]) => () => {
    const user = toCurrentUser(session);
    const context = { ...CALLER, user };
    return openCheckout(requireBilling(services), context, user, {
      packageId: PERSONAL_PACKAGE_ID,
      interval: 'month',
    });
  };
  const openPages = () => [...fake.pages.values()].filter(({ state }) => state === 'OPEN');

  await t.test('accepts only a package and an interval', async (t) => {
    const { id: userId, email, accessToken: token } = await createUser();
    const more = { price: 1, amount: 1, customer: 'cus_x', successUrl: 'https://evil.example', version: 9 };
    const answer = await buy(token, more);
    t.equal(answer.status, 201, answer.text);
    t.same(Object.keys(answer.body).sort(), ['id', 'url', 'warnings']);
    t.equal(answer.headers.location, `${URL_OF}/${answer.body.id}`);
    const order = fake.pages.get(await findProviderPageId(answer.body.id))?.order;
    t.match(order, {
      userId,
      successUrl: 'https://qr.example.org/app/subscription/checkout/done',
      cancelUrl: 'https://qr.example.org/app/subscription/checkout/back',
      language: 'en',
    });
    t.same(fake.customers.get(order?.customerId ?? ''), { userId, email, isDeleted: false });
    t.match([...fake.prices.values()].find(({ id }) => id === order?.priceId)?.offer, {
      packageId: PERSONAL_PACKAGE_ID,
      code: 'PERSONAL',
      version: 1,
      name: 'Personal',
      interval: 'month',
      currency: 'EUR',
      amount: 300,
    });
    const state = await call('GET', String(answer.headers.location), { token });
    t.match(state.body, {
      id: answer.body.id,
      status: 'OPEN',
      packageId: PERSONAL_PACKAGE_ID,
      interval: 'month',
    });
    const { accessToken: other } = await createUser();
    t.equal((await call('GET', String(answer.headers.location), { token: other })).status, 404);
  });

  await t.test('100 parallel calls create one customer and one checkout', async (t) => {
    const { id: userId, accessToken: token } = await createUser();
    const before = openPages().length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => buy(token)));
    t.same(new Set(answers.map(({ status }) => status)), new Set([201]));
    t.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    t.equal(openPages().length, before + 1);
    t.equal([...fake.customers.values()].filter((one) => one.userId === userId).length, 1);
    t.equal(
      await client.auditEntry.count({
        where: { action: 'CHECKOUT_OPENED', resourceId: answers[0]?.body.id },
      }),
      1,
    );
  });

  await t.test('several processes open one checkout, also for different choices', async (t) => {
    const { id, email } = await createUser();
    const user = toCurrentUser({ id, email });
    const context = { ...CALLER, user };
    const open = (packageId: string) =>
      openCheckout(requireBilling(services), context, user, { packageId, interval: 'month' });
    const before = openPages().length;
    const same = await Promise.allSettled(Array.from({ length: 10 }, () => open(PERSONAL_PACKAGE_ID)));
    t.same(
      same.filter(({ status }) => status === 'rejected'),
      [],
    );
    t.equal(new Set(same.map((page) => page.status === 'fulfilled' && page.value.id)).size, 1);
    t.equal(openPages().length, before + 1);
    const choices = Array.from({ length: 10 }, (_, index) =>
      open(index % 2 ? PERSONAL_PACKAGE_ID : FAMILY_PACKAGE_ID),
    );
    const opened = await Promise.allSettled(choices);
    for (const result of opened)
      if (result.status === 'rejected') t.match(result.reason, { code: 'CONFLICT' });
    t.equal(await client.checkoutSession.count({ where: { accountId: id, state: 'OPEN' } }), 1);
    t.equal(openPages().length, before + 1);
    t.equal([...fake.customers.values()].filter((one) => one.userId === id).length, 1);
  });

  await t.test('returns the same page for the same choice, and another choice ends it', async (t) => {
    const { accessToken: token } = await createUser();
    const [first, again] = [await buy(token), await buy(token)];
    t.same(again.body, first.body);
    const other = await buy(token, { packageId: FAMILY_PACKAGE_ID });
    t.not(other.body.id, first.body.id);
    t.equal(fake.pages.get(await findProviderPageId(first.body.id))?.state, 'EXPIRED');
    t.equal((await call('GET', `${URL_OF}/${first.body.id}`, { token })).body.status, 'EXPIRED');
    t.not((await buy(token)).body.id, first.body.id, 'one that was ended is not taken up again');
  });

  await t.test(
    'replays the first response of an Idempotency-Key, also after the page has ended',
    async (t) => {
      const { accessToken: token } = await createUser();
      const headers = { 'idempotency-key': 'checkout-0123456789' };
      const first = await buy(token, {}, headers);
      await buy(token, { packageId: FAMILY_PACKAGE_ID });
      const again = await buy(token, {}, headers);
      t.same([again.status, again.body, again.headers['idempotency-replayed']], [201, first.body, 'true']);
      t.equal(
        (await buy(token, { packageId: FAMILY_PACKAGE_ID }, headers)).body.code,
        'IDEMPOTENCY_KEY_REUSED',
      );
    },
  );

  await t.test('recovers a lost response by its idempotency key', async (t) => {
    const { id: userId, accessToken: token } = await createUser();
    const before = openPages().length;
    for (const call of ['createCustomer', 'openCheckout']) {
      fake.state.loses = 1;
      const failed = await buy(token);
      t.same([failed.status, failed.body.code], [503, 'PROVIDER_UNAVAILABLE'], call);
      t.ok(Number(failed.headers['retry-after']) > 0);
    }
    const answer = await buy(token);
    t.equal(answer.status, 201);
    t.equal(openPages().length, before + 1);
    t.equal([...fake.customers.values()].filter((one) => one.userId === userId).length, 1);
  });

  await t.test('returns 503 and changes nothing while the provider is unavailable', async (t) => {
    const { accessToken: token } = await createUser();
    const { body: page } = await buy(token);
    fake.state.isUnavailable = true;
    for (const body of [{}, { packageId: FAMILY_PACKAGE_ID }]) {
      const failed = await buy(token, body);
      t.same([failed.status, failed.headers['retry-after']], [503, '7']);
    }
    fake.state.isUnavailable = false;
    t.same((await buy(token)).body, page);
  });

  await t.test('stores a paid subscription before another checkout opens', async (t) => {
    for (const body of [{}, { packageId: FAMILY_PACKAGE_ID }]) {
      const { accessToken: token } = await createUser();
      const { body: page } = await buy(token);
      fake.pay(await findProviderPageId(page.id));
      const refused = await buy(token, body);
      t.same([refused.status, refused.body.code], [409, 'ALREADY_SUBSCRIBED']);
      t.match((await call('GET', '/api/subscription/status', { token })).body, {
        status: 'ACTIVE',
        price: 300,
      });
      t.equal((await call('GET', `${URL_OF}/${page.id}`, { token })).body.status, 'COMPLETED');
    }
  });

  await t.test('also when the checkout is completed and the subscription is not stored', async (t) => {
    const { accessToken: token } = await createUser();
    const { body: page } = await buy(token);
    const { id: providerSubscriptionId } = fake.pay(await findProviderPageId(page.id));
    const data = { state: 'COMPLETED', providerSubscriptionId };
    await client.checkoutSession.update({ where: { id: page.id }, data });
    t.equal((await buy(token)).body.code, 'ALREADY_SUBSCRIBED');
  });

  await t.test('also for a user whose earlier checkout was deleted', async (t) => {
    const { token, subscriptionId, id: userId } = await subscriber();
    await call('DELETE', `/api/subscription/cancel/${subscriptionId}?when=NOW`, { token });
    await client.checkoutSession.deleteMany({ where: { accountId: userId } });
    const { body: page } = await buy(token);
    const { id: providerSubscriptionId } = fake.pay(await findProviderPageId(page.id));
    const data = { state: 'COMPLETED', providerSubscriptionId };
    await client.checkoutSession.update({ where: { id: page.id }, data });
    t.equal((await buy(token, { packageId: FAMILY_PACKAGE_ID })).body.code, 'ALREADY_SUBSCRIBED');
    t.equal(openPages().filter(({ order }) => order?.userId === userId).length, 0);
  });

  await t.test('a purchase of an unknown package does not block another purchase', async (t) => {
    for (const isKnown of [true, false]) {
      const { accessToken: token } = await createUser();
      const { body: page } = await buy(token);
      const bought = fake.pay(await findProviderPageId(page.id));
      if (isKnown) Object.assign(bought, { priceId: 'price_of_another_shop' });
      else fake.subscriptions.delete(bought.id);
      const answer = await buy(token);
      t.equal(answer.status, 201, answer.text);
      t.not(answer.body.id, page.id);
      t.equal((await call('GET', `${URL_OF}/${page.id}`, { token })).body.status, 'COMPLETED');
      t.same((await buy(token)).body, answer.body);
    }
  });

  await t.test('creates one new customer after a manual deletion at the provider', async (t) => {
    const { id: userId, token, providerId } = await subscriber();
    const listCustomerIds = () =>
      client.paymentCustomer.findMany({ where: { accountId: userId }, orderBy: { createdAt: 'asc' } });
    for (const count of [2, 3]) {
      const [current] = await client.paymentCustomer.findMany({
        where: { accountId: userId, deletedAt: null },
      });
      await fake.provider.deleteCustomer(current?.customerId ?? '');
      fake.subscriptions.delete(providerId);
      await client.subscription.updateMany({
        where: { accountId: userId },
        data: { state: 'CANCELED', endedAt: new Date() },
      });
      const portal = () => call('POST', '/api/subscription/portal-session', { token });
      if (count === 2) t.equal((await portal()).body.code, 'NO_CUSTOMER');
      const open = createCheckoutOpener({ id: userId });
      const opened = await Promise.allSettled(Array.from({ length: 10 }, open));
      t.same(new Set(opened.map(({ status }) => status)), new Set(['fulfilled']));
      t.equal((await buy(token)).status, 201);
      const known = await listCustomerIds();
      t.same([known.length, known.filter(({ deletedAt }) => deletedAt === null).length], [count, 1]);
      t.equal([...fake.customers.values()].filter((one) => one.userId === userId).length, count);
      t.equal(openPages().filter(({ order }) => order?.userId === userId).length, 1);
      await client.checkoutSession.updateMany({ where: { accountId: userId }, data: { state: 'EXPIRED' } });
      for (const page of openPages()) if (page.order?.userId === userId) page.state = 'EXPIRED';
    }
  });

  await t.test('creates a customer of an organization with the address of the member who buys', async (t) => {
    const buyers = [await createUser(), await createUser(), await createUser()];
    const members = buyers.map(({ id }) => ({ userId: id, role: 'BILLING' as const }));
    const accountId = await insertOrganization({ database }, { members });
    const emails = [];
    for (const { accessToken } of buyers) {
      // The result of the previous call was lost before it was stored.
      await client.paymentCustomer.deleteMany({ where: { accountId } });
      await client.checkoutSession.updateMany({ where: { accountId }, data: { state: 'EXPIRED' } });
      const answer = await buy(accessToken, {}, { 'account-id': accountId });
      t.equal(answer.status, 201, answer.text);
      const order = fake.pages.get(await findProviderPageId(answer.body.id))?.order;
      emails.push(fake.customers.get(order?.customerId ?? '')?.email);
    }
    t.same(
      emails,
      buyers.map(({ email }) => email),
    );
  });

  await t.test('two members who buy at once leave one customer', async (t) => {
    const buyers = [await createUser(), await createUser()];
    const members = buyers.map(({ id }) => ({ userId: id, role: 'OWNER' as const }));
    const accountId = await insertOrganization({ database }, { members });
    const answers = await Promise.all(
      buyers.map(({ accessToken }) => buy(accessToken, {}, { 'account-id': accountId })),
    );
    t.same(
      answers.map(({ status }) => status),
      [201, 201],
    );
    const stored = await client.paymentCustomer.findMany({ where: { accountId } });
    const left = [...fake.customers].filter(([, one]) => one.userId === accountId && !one.isDeleted);
    t.same(
      left.map(([id]) => id),
      stored.map(({ customerId }) => customerId),
    );
  });

  await t.test('a customer of the slower member that cannot be deleted ends no purchase', async (t) => {
    const { id: accountId, accessToken } = await createUser();
    const { createCustomer, deleteCustomer, name: provider } = fake.provider;
    const stored: string[] = [];
    const refused: string[] = [];
    fake.provider.createCustomer = async (customer, key) => {
      const customerId = await createCustomer(customer, `faster:${key}`);
      await client.paymentCustomer.create({ data: { accountId, provider, customerId } });
      stored.push(customerId);
      return createCustomer(customer, key);
    };
    fake.provider.deleteCustomer = async (id) => {
      refused.push(id);
      throw new PaymentError('UNAVAILABLE', 'AWAY');
    };
    const answer = await buy(accessToken);
    Object.assign(fake.provider, { createCustomer, deleteCustomer });
    t.equal(answer.status, 201, answer.text);
    t.same([stored.length, refused.length], [1, 1]);
    const order = [...fake.pages.values()].find((page) => page.order?.userId === accountId)?.order;
    t.equal(order?.customerId, stored[0]);
  });

  await t.test('creates a new price after a manual retirement at the provider', async (t) => {
    const { token, subscriptionId } = await subscriber({ packageId: FAMILY_PACKAGE_ID });
    for (const price of fake.prices.values()) price.isRetired = true;
    const { accessToken: other } = await createUser();
    const answer = await buy(other, { packageId: FAMILY_PACKAGE_ID });
    t.equal(answer.status, 201, answer.text);
    fake.pay(await findProviderPageId(answer.body.id));
    t.equal((await buy(other, { packageId: FAMILY_PACKAGE_ID })).body.code, 'ALREADY_SUBSCRIBED');
    await services.syncSubscriptionNow(await getProviderId(subscriptionId), async () => {});
    for (const price of fake.prices.values()) price.isRetired = true;
    const input = { packageId: PERSONAL_PACKAGE_ID, interval: 'month' };
    const change = (rest: string, body: object) => call('POST', `/api/subscription/${rest}`, { token, body });
    const preview = await change('change/preview', input);
    t.equal(preview.status, 200, preview.text);
    for (const price of fake.prices.values()) price.isRetired = true;
    const changed = await change('change', { ...input, previewedAt: preview.body.previewedAt });
    t.match(changed.body, { package: { code: 'PERSONAL' }, status: 'ACTIVE' }, changed.text);
    t.equal((await call('GET', '/api/subscription/status', { token })).body.package.code, 'PERSONAL');
  });

  await t.test('rejects invalid choices', async (t) => {
    const { accessToken: token } = await createUser();
    for (const [body, status, field] of [
      [{ packageId: FREE_PACKAGE_ID }, 400, 'packageId'],
      [{ interval: 'week' }, 400, 'interval'],
      [{ currency: 'USD' }, 400, 'currency'],
      [{ packageId: generateAbsentId() }, 404, null],
    ] as const) {
      const answer = await buy(token, body);
      t.equal(answer.status, status, JSON.stringify(body));
      if (field) t.equal(answer.body.errors[0].field, field);
    }
    await client.$executeRaw`UPDATE subscription_packages SET on_offer = false WHERE id = ${FAMILY_PACKAGE_ID}`;
    t.equal((await buy(token, { packageId: FAMILY_PACKAGE_ID })).status, 404);
    await client.$executeRaw`UPDATE subscription_packages SET on_offer = true WHERE id = ${FAMILY_PACKAGE_ID}`;
    const { accessToken: unfinished } = await createUser({ profile: false });
    t.equal((await buy(unfinished)).body.code, 'PROFILE_REQUIRED');
  });
});

t.test('without billing', async (t) => {
  const { call, createUser } = await startTestApp(t, { BILLING: 'off' });
  const { accessToken: token } = await createUser();
  const body = { packageId: PERSONAL_PACKAGE_ID, interval: 'month' };
  for (const [path, sent] of [
    ['checkout-session', body],
    ['portal-session', undefined],
    ['change/preview', body],
    ['change', { ...body, previewedAt: new Date().toISOString() }],
  ] as const) {
    const answer = await call('POST', `/api/subscription/${path}`, { token, body: sent });
    t.same([answer.status, answer.body.code], [409, 'BILLING_DISABLED'], path);
  }
});

t.test('return pages are localized and do not identify the user', async (t) => {
  const { call } = await startTestApp(t);
  for (const [path, heading] of [
    ['checkout/done', 'Vielen Dank'],
    ['checkout/back', 'Es wurde nichts abgebucht'],
    ['portal/back', 'Alles erledigt'],
  ]) {
    const headers = { 'accept-language': 'de-AT' };
    const { status, text, headers: sent } = await call('GET', `/api/subscription/${path}`, { headers });
    t.equal(status, 200);
    t.match(text, `<h1>${heading}</h1>`);
    t.match(text, '<html lang="de" dir="ltr">');
    t.match(sent, { 'content-type': /text\/html/, 'cache-control': 'no-store' });
  }
});
