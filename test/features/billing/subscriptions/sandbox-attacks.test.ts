import { t } from '../../../tap.ts';
import { eraseAccountOf, waitForErasures } from '../../personal-data/helper.ts';
import { startSandboxShop } from './sandbox-shop-helper.ts';
import { FAMILY_PACKAGE_ID, PERSONAL_PACKAGE_ID } from './shop-helper.ts';

const DAY = 86_400;

interface Ledger {
  customers: { id: string; metadata: { userId?: string } }[];
  subscriptions: { customer: string; status: string }[];
  charges: { id: string; customer: string; amount: number }[];
}

t.test('payments in unexpected order', async (t) => {
  const shop = await startSandboxShop(t);
  const { call, createUser, database, control, stripe, listNotificationKeys } = shop;
  const { path, buy, press, status, quiet: waitUntilIdle, subscriber } = shop;
  const { client } = database;
  const ledger = () => control<Ledger>('ledger');
  const getCustomerId = async (userId: string) =>
    (await client.paymentCustomer.findFirstOrThrow({ where: { accountId: userId, deletedAt: null } }))
      .customerId;
  const listStates = async (userId: string) =>
    (await client.subscription.findMany({ where: { accountId: userId } })).map(({ state }) => state);
  const now = () => new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();

  await t.test('only one of two checkouts in two tabs can be paid', async (t) => {
    const one = await createUser();
    const [first, second] = [
      await buy(one.accessToken),
      await buy(one.accessToken, { packageId: FAMILY_PACKAGE_ID }),
    ];
    for (const { body } of [first, second]) await press(body.url, 'pay');
    await waitUntilIdle();
    t.match(await status(one.accessToken), { status: 'ACTIVE', package: { code: 'FAMILY' } });
    t.same(await listStates(one.id), ['ACTIVE']);

    const other = await createUser();
    const { body: page } = await buy(other.accessToken);
    const [, another] = await Promise.all([
      press(page.url, 'pay'),
      buy(other.accessToken, { packageId: FAMILY_PACKAGE_ID }),
    ]);
    if (another.status === 201) await press(another.body.url, 'pay');
    await waitUntilIdle();
    t.same(await listStates(other.id), ['ACTIVE']);
  });

  await t.test('an ended checkout cannot be paid, and the next request opens another', async (t) => {
    const { id, accessToken: token } = await createUser();
    const { body: page } = await buy(token);
    const { sessionId } = await client.checkoutSession.findUniqueOrThrow({ where: { id: page.id } });
    await stripe.checkout.sessions.expire(sessionId ?? '');
    await press(page.url, 'pay');
    await waitUntilIdle();
    t.same(await listStates(id), []);
    const again = await buy(token);
    t.equal(again.status, 201);
    t.not(again.body.id, page.id);
  });

  await t.test('a checkout sells what it shows, whatever is offered meanwhile', async (t) => {
    const { accessToken: token } = await createUser();
    const { body: page } = await buy(token);
    await client.$executeRaw`UPDATE subscription_packages SET on_offer = false, limits = '{}' WHERE id = ${PERSONAL_PACKAGE_ID}`;
    await press(page.url, 'pay');
    await waitUntilIdle();
    const bought = await status(token);
    t.match(bought, {
      status: 'ACTIVE',
      price: 300,
      limits: { qrCodes: 250 },
      package: { code: 'PERSONAL' },
    });
    await client.$executeRaw`
      UPDATE subscription_packages AS package SET on_offer = true, limits = sold.limits
      FROM subscription_package_versions AS sold
      WHERE sold.package_id = package.id AND sold.version = package.version AND package.id = ${PERSONAL_PACKAGE_ID}`;
  });

  await t.test('an account erased during a payment pays for nothing', async (t) => {
    const buyer = await createUser();
    const { body: page } = await buy(buyer.accessToken);
    await control('fault', { kind: 'away', path: '/v1/', method: null, count: 40 });
    await eraseAccountOf(shop, buyer);
    await press(page.url, 'pay');
    await control('no-faults');
    await waitForErasures(shop);
    await waitUntilIdle();
    const { subscriptions, customers } = await ledger();
    t.equal(customers.filter(({ metadata }) => metadata.userId === buyer.id).length, 0);
    t.equal(subscriptions.at(-1)?.status, 'canceled');
    t.same([await listStates(buyer.id), await listNotificationKeys(buyer.id)], [[], []]);
  });

  await t.test('notifies once about each refund and dispute', async (t) => {
    const { id, token } = await subscriber();
    const customer = await getCustomerId(id);
    const charge = (await ledger()).charges.find((one) => one.customer === customer)?.id ?? '';
    const invoice = async () => {
      await waitUntilIdle();
      const { data } = (await call('GET', path('invoices'), { token })).body;
      return [data.length, data[0].status, data[0].amountPaid, data[0].amountRefunded, data[0].disputed];
    };
    await stripe.refunds.create({ charge, amount: 100 });
    t.same(await invoice(), [1, 'PAID', 300, 100, false]);
    const { id: dispute } = await control('dispute', { charge });
    t.same(await invoice(), [1, 'PAID', 300, 100, true]);
    await control('close-dispute', { dispute, status: 'won' });
    t.same(await invoice(), [1, 'PAID', 300, 100, true]);
    const words = (await listNotificationKeys(id)).map((key) => key.split(':').slice(2).join(':'));
    t.same(words.sort(), ['disputed', 'paid', 'refunded:100', 'started']);
    t.equal((await status(token)).status, 'ACTIVE');
  });

  await t.test('20 concurrent changes are one, and a concurrent cancellation wins', async (t) => {
    const one = await subscriber();
    const input = { packageId: FAMILY_PACKAGE_ID, interval: 'month', previewedAt: now() };
    const change = (token: string) => call('POST', path('change'), { token, body: input });
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(one.token)));
    // Requests with the same key run one after the other; a long wait ends in 503.
    t.ok(answers.every((answer) => answer.status === 200 || answer.status === 503));
    t.equal((await change(one.token)).status, 200);
    t.equal((await stripe.invoices.list({ subscription: one.providerId })).data.length, 2);

    const other = await subscriber();
    await control('fault', { kind: 'slow', path: '/v1/subscriptions', method: 'POST', count: 1, ms: 800 });
    const cancel = `${path('cancel')}/${other.subscriptionId}?when=NOW`;
    const [, ended] = await Promise.all([
      change(other.token),
      call('DELETE', cancel, { token: other.token }),
    ]);
    t.match(ended.body, { status: 'CANCELED' });
    await waitUntilIdle();
    t.same(await listStates(other.id), ['CANCELED']);
  });

  await t.test(
    'a past due subscription cannot be changed, and a late payment keeps the cancellation',
    async (t) => {
      const { id, token, subscriptionId, providerId } = await subscriber();
      await control('card', { customer: await getCustomerId(id), card: 'confirms' });
      await control('clock', { seconds: 32 * DAY });
      await waitUntilIdle();
      t.match(await status(token), { status: 'PAST_DUE', package: { code: 'PERSONAL' } });
      const body = { packageId: FAMILY_PACKAGE_ID, interval: 'month', previewedAt: now() };
      t.equal((await call('POST', path('change'), { token, body })).body.code, 'PAYMENT_PENDING');
      t.match(await status(token), { status: 'PAST_DUE', package: { code: 'PERSONAL' } });
      const { data } = await stripe.invoices.list({ subscription: providerId, status: 'open' });
      const renewal = data.find(({ billing_reason }) => billing_reason === 'subscription_cycle')?.id;
      await Promise.all([
        call('DELETE', `${path('cancel')}/${subscriptionId}?when=NOW`, { token }),
        control('confirm', { invoice: renewal }),
      ]);
      await waitUntilIdle();
      t.equal((await status(token)).status, 'CANCELED');
      t.equal((await buy(token)).status, 201);
    },
  );
});
