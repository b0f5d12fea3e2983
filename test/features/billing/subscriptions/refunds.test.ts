import { t } from '../../../tap.ts';
import { startSandboxShop } from './sandbox-shop-helper.ts';
import { FAMILY_PACKAGE_ID } from './shop-helper.ts';

interface Ledger {
  charges: { id: string; customer: string }[];
  subscriptions: { id: string; status: string }[];
}

const shop = await startSandboxShop(t);
const { call, control, database, path, press, status, stripe, subscriber, listNotificationKeys } = shop;
const { client } = database;
const MONTH_SECONDS = 31 * 86_400;

/** Charges of a user, oldest first. */
async function listCharges(userId: string): Promise<string[]> {
  const customer = await client.paymentCustomer.findFirstOrThrow({
    where: { accountId: userId, deletedAt: null },
  });
  const { charges } = await control<Ledger>('ledger');
  return charges.filter((one) => one.customer === customer.customerId).map(({ id }) => id);
}

async function getLast(userId: string): Promise<string> {
  return (await listCharges(userId)).at(-1) ?? '';
}

const getRemoteStatus = async (id: string) =>
  (await control<Ledger>('ledger')).subscriptions.find((one) => one.id === id)?.status;

const ENDED = { status: 'CANCELED', package: { code: 'FREE' } };
const SUBSCRIBED = { status: 'ACTIVE', package: { code: 'PERSONAL' } };

t.test('a full refund of the current period ends the package, here and at the provider', async (t) => {
  const { id, token, providerId } = await subscriber();
  const charge = await getLast(id);
  await stripe.refunds.create({ charge, amount: 299 });
  await shop.quiet();
  t.match(await status(token), SUBSCRIBED, 'a refund of a part does not');
  await stripe.refunds.create({ charge, amount: 1 });
  await shop.quiet();
  t.match(await status(token), ENDED);
  t.equal(await getRemoteStatus(providerId), 'canceled', 'so that it is not charged again');
  t.ok((await listNotificationKeys(id)).includes(`subscription:${providerId}:ended`));
  await control('clock', { seconds: MONTH_SECONDS });
  await shop.quiet();
  t.equal((await listCharges(id)).length, 1);
  t.equal((await shop.buy(token)).status, 201, 'the user may buy again');
});

t.test('a refund of an earlier period keeps the package', async (t) => {
  const { id, token } = await subscriber();
  const first = await getLast(id);
  await control('clock', { seconds: MONTH_SECONDS });
  await shop.quiet();
  t.equal((await listCharges(id)).length, 2, 'renewed');
  await stripe.refunds.create({ charge: first });
  await shop.quiet();
  t.match(await status(token), SUBSCRIBED);
});

t.test('a refunded upgrade ends the larger package', async (t) => {
  const { id, token } = await subscriber();
  const input = { packageId: FAMILY_PACKAGE_ID, interval: 'month' };
  const { previewedAt } = (await call('POST', path('change/preview'), { token, body: input })).body;
  t.equal((await call('POST', path('change'), { token, body: { ...input, previewedAt } })).status, 200);
  await shop.quiet();
  t.match(await status(token), { package: { code: 'FAMILY' } });
  await stripe.refunds.create({ charge: await getLast(id) });
  await shop.quiet();
  t.match(await status(token), ENDED);
});

t.test('an open or won dispute keeps the package, a lost one ends it', async (t) => {
  const pressOnInvoice = async (token: string, button: string) => {
    const { data } = (await call('GET', path('invoices'), { token })).body;
    const page = await call('GET', path(`invoices/${data.at(-1).id}/page`), { token });
    t.equal((await press(page.body.url, button)).status, 303);
    await shop.quiet();
  };
  const [one, other] = [await subscriber(), await subscriber()];
  for (const { token } of [one, other]) {
    await pressOnInvoice(token, 'dispute');
    t.match(await status(token), SUBSCRIBED, 'until the bank has decided');
  }
  await pressOnInvoice(one.token, 'win-dispute');
  t.match(await status(one.token), SUBSCRIBED);
  await control('clock', { seconds: MONTH_SECONDS });
  await shop.quiet();
  await pressOnInvoice(other.token, 'lose-dispute');
  t.match(await status(other.token), ENDED, 'also when the payment was for an earlier period');
  t.equal(await getRemoteStatus(other.providerId), 'canceled');
  const [invoice] = await client.paymentInvoice.findMany({
    where: { accountId: other.id, isDisputed: true },
  });
  t.match(invoice, { isDisputeLost: true });
});

t.test('a refund is not lost while the provider is unavailable', async (t) => {
  const { id, token } = await subscriber();
  await control('fault', { kind: 'away', path: '/v1/subscriptions', method: null, count: 6 });
  await stripe.refunds.create({ charge: await getLast(id) });
  await shop.quiet();
  await control('no-faults');
  t.match(await status(token), ENDED);
});

t.test('a checkout is completed exactly when the status has its subscription', async (t) => {
  for (const order of ['checkout first', 'subscription first']) {
    const { accessToken: token } = await shop.createUser();
    const { body: page } = await shop.buy(token);
    await control('pause', { paused: true });
    await press(page.url, 'pay');
    const listStates = async () => [
      (await call('GET', path(`checkout-session/${page.id}`), { token })).body.status,
      (await status(token)).status,
    ];
    t.same(await listStates(), ['OPEN', 'NONE']);
    const { data } = await stripe.events.list({ limit: 20 });
    const isCheckout = ({ type }: { type: string }) => type.startsWith('checkout.session.');
    const isSubscription = ({ type }: { type: string }) => type.startsWith('customer.subscription.');
    const [first] = data.filter(order === 'checkout first' ? isCheckout : isSubscription);
    const { body, signature } = await control<{ body: string; signature: string }>('signed', {
      event: first?.id,
    });
    const headers = { 'stripe-signature': signature };
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      headers,
      payload: body,
    });
    t.equal(answer.statusCode, 200);
    const observations = new Set<string>();
    for (let left = 200; left > 0 && !observations.has('COMPLETED ACTIVE'); left--)
      observations.add((await listStates()).join(' '));
    // The two calls are not one moment: the checkout is read first, so it may be the older one.
    t.notOk(observations.has('COMPLETED NONE'), order);
    t.ok(observations.has('COMPLETED ACTIVE'), order);
    t.match(await client.checkoutSession.findUniqueOrThrow({ where: { id: page.id } }), {
      ...{ state: 'COMPLETED' },
    });
    await control('pause', { paused: false });
    await shop.quiet();
  }
});
