import type {
  CheckoutOrder,
  PackageOffer,
  ProviderInvoice,
} from '../../../src/providers/payments/payments.port.ts';
import { createStripePaymentProvider } from '../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { getSandboxNow, startSandbox } from '../../packages/stripe-emulator/helper.ts';
import { t } from '../../tap.ts';

const { stripe, control, ...settings } = await startSandbox(t);
const payments = createStripePaymentProvider({ ...settings, isSandbox: true });

const PERSONAL: PackageOffer = {
  packageId: '673f0000a1b2c3d4e5f60002',
  code: 'PERSONAL',
  version: 1,
  name: 'Personal',
  interval: 'month',
  currency: 'EUR',
  amount: 300,
};
const FAMILY: PackageOffer = {
  ...PERSONAL,
  packageId: '673f0000a1b2c3d4e5f60003',
  code: 'FAMILY',
  amount: 600,
};

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

let userCount = 0;
/** Create a customer and the order of a checkout. */
async function createOrder(offer: PackageOffer): Promise<CheckoutOrder> {
  userCount += 1;
  const userId = `user${userCount}`;
  const user = { userId, email: `${userId}@example.org`, language: 'de' };
  return {
    userId,
    language: 'de',
    customerId: await payments.createCustomer(user, `customer:${userId}`),
    priceId: await payments.ensurePrice(offer),
    successUrl: 'https://qr.example.org/paid',
    cancelUrl: 'https://qr.example.org/back',
    expiresAt: new Date(getSandboxNow().getTime() + 3_600_000),
  };
}

/** Buy an offer and return the subscription's id. */
async function buy(offer: PackageOffer): Promise<{ id: string; order: CheckoutOrder }> {
  const order = await createOrder(offer);
  const { id } = await payments.openCheckout(order, `checkout:${order.userId}`);
  await control('checkout', { session: id, card: 'pays' });
  const paid = await payments.findCheckout(id);
  t.match(paid, { state: 'COMPLETED', url: null });
  return { id: String(paid?.subscriptionId), order };
}

async function advanceToPeriodEnd(subscriptionId: string): Promise<void> {
  const end = (await payments.findSubscription(subscriptionId))?.currentPeriodEnd ?? null;
  const { now } = await control<{ now: number }>('clock', { seconds: 0 });
  await control('clock', { seconds: (end?.getTime() ?? 0) / 1000 - now });
}

t.test('repeated calls create one customer, one price and one checkout for a key', async (t) => {
  const user = { userId: 'ada', email: 'ada@example.org', language: 'uk' };
  const customers = await Promise.all(
    Array.from({ length: 4 }, () => payments.createCustomer(user, 'customer:ada')),
  );
  t.equal(new Set(customers).size, 1);
  const french = await payments.createCustomer({ ...user, language: 'fr' }, 'customer:ada');
  t.equal(french, customers[0], 'even with another language');
  const prices = await Promise.all(Array.from({ length: 4 }, () => payments.ensurePrice(PERSONAL)));
  t.equal(new Set(prices).size, 1);
  t.not(await payments.ensurePrice({ ...PERSONAL, amount: 350 }), prices[0], 'of another amount');
  t.not(await payments.ensurePrice({ ...PERSONAL, interval: 'year', amount: 3000 }), prices[0]);
  const order = await createOrder(PERSONAL);
  const pages = await Promise.all(
    Array.from({ length: 4 }, () => payments.openCheckout(order, 'checkout:1')),
  );
  t.equal(new Set(pages.map(({ id }) => id)).size, 1);
  const other = await payments.openCheckout({ ...order, language: 'fr' }, 'checkout:1');
  t.equal(other.id, pages[0]?.id, 'even with another language');
  const [page] = pages;
  await payments.expireCheckout(String(page?.id));
  await payments.expireCheckout(String(page?.id));
  t.match(await payments.findCheckout(String(page?.id)), {
    state: 'EXPIRED',
    url: null,
    subscriptionId: null,
  });
});

t.test('replaces a price that was retired while its key still returns it', async (t) => {
  const offer = { ...PERSONAL, version: 7 };
  const first = await payments.ensurePrice(offer);
  await stripe.prices.update(first, { active: false });
  const again = await Promise.all(Array.from({ length: 3 }, () => payments.ensurePrice(offer)));
  t.equal(new Set(again).size, 1);
  t.not(again[0], first);
  t.match(await stripe.prices.retrieve(again[0] ?? ''), { active: true, unit_amount: 300 });
});

t.test('a deleted customer is unknown and cannot buy', async (t) => {
  const order = await createOrder(PERSONAL);
  t.equal(await payments.hasCustomer(order.customerId), true);
  await stripe.customers.del(order.customerId);
  t.equal(await payments.hasCustomer(order.customerId), false);
  t.equal(await payments.hasCustomer('cus_unknown'), false);
  await t.rejects(payments.openCheckout(order, 'checkout:gone'), /ABSENT/);
});

t.test('a timeout after the effect causes no second effect', async (t) => {
  for (const [path, work] of Object.entries({
    '/v1/customers': () =>
      payments.createCustomer({ userId: 'eve', email: 'eve@example.org', language: 'en' }, 'customer:eve'),
    '/v1/prices': () => payments.ensurePrice({ ...PERSONAL, version: 2 }),
  })) {
    await control('fault', { kind: 'cut', path, method: 'POST', count: 2 });
    await work();
  }
  const { customers } = await control<{ customers: { email: string }[] }>('ledger');
  t.equal(customers.filter(({ email }) => email === 'eve@example.org').length, 1);
  const { data } = await stripe.prices.list({ lookup_keys: [`price:${PERSONAL.packageId}:2:month:EUR`] });
  t.equal(data.length, 1);
});

t.test('a subscription is bought, changed, canceled, continued and ended', async (t) => {
  const { id } = await buy(PERSONAL);
  const bought = await payments.findSubscription(id);
  t.match(bought, { state: 'ACTIVE', interval: 'month', currency: 'EUR', cancelAtPeriodEnd: false });
  const { currentPeriodEnd } = bought ?? {};

  const priceId = await payments.ensurePrice(FAMILY);
  const at = getSandboxNow();
  const preview = await payments.previewChange(id, priceId, at);
  t.same(preview, { currency: 'EUR', dueNow: 300, perPeriod: 600, currentPeriodEnd });
  const changed = await payments.changeSubscription(id, priceId, at, 'change:1');
  t.match(changed, { priceId, state: 'ACTIVE', currentPeriodEnd });
  await payments.changeSubscription(id, priceId, at, 'change:1');
  const invoices = (await all(payments.listInvoices(new Date(0)))).filter((one) => one.subscriptionId === id);
  t.same(
    invoices.map(({ total }) => total),
    [preview.dueNow, 300],
    'the previewed amount, once',
  );

  const year = await payments.ensurePrice({ ...FAMILY, interval: 'year', amount: 6000 });
  const longer = await payments.previewChange(id, year, getSandboxNow());
  t.match(longer, { dueNow: 5400, perPeriod: 6000 });
  t.ok(longer.currentPeriodEnd && currentPeriodEnd && longer.currentPeriodEnd > currentPeriodEnd);

  t.match(await payments.cancelSubscription(id, 'PERIOD_END'), { state: 'ACTIVE', cancelAtPeriodEnd: true });
  t.match(await payments.undoCancellation(id), { cancelAtPeriodEnd: false, canceledAt: null });
  await payments.cancelSubscription(id, 'PERIOD_END');
  await control('clock', { seconds: 32 * 86_400 });
  const ended = await payments.findSubscription(id);
  t.match(ended, { state: 'CANCELED' });
  t.same(ended?.endedAt, currentPeriodEnd);
  for (const when of ['NOW', 'PERIOD_END'] as const)
    t.same(await payments.cancelSubscription(id, when), ended);
});

t.test('reads a partly refunded and disputed invoice', async (t) => {
  const { id } = await buy(PERSONAL);
  const find = async () =>
    (await all(payments.listInvoices(new Date(0)))).find((one) => one.subscriptionId === id);
  const invoice = await find();
  t.match(invoice, { state: 'PAID', total: 300, amountPaid: 300, amountRefunded: 0, isDisputed: false });
  const { data } = await stripe.charges.list({ limit: 1 });
  const charge = String(data[0]?.id);
  t.equal(await payments.findInvoiceOfCharge(charge), invoice?.id);
  t.match(await payments.findInvoiceUrl(String(invoice?.id)), /^http/);
  await stripe.refunds.create({ charge, amount: 120 });
  const { id: dispute } = await control<{ id: string }>('dispute', { charge });
  const now = await payments.findInvoice(String(invoice?.id));
  t.same(now, { ...(invoice as ProviderInvoice), amountRefunded: 120, isDisputed: true });
  t.same(await find(), now, 'the list has the same');
  await control('close-dispute', { dispute, status: 'lost' });
  const lost = await payments.findInvoice(String(invoice?.id));
  t.same(lost, { ...(now as ProviderInvoice), isDisputeLost: true });
  t.same(await find(), lost);
});

t.test('a payment that requires confirmation is open until confirmed', async (t) => {
  const { id, order } = await buy(PERSONAL);
  await control('card', { customer: order.customerId, card: 'confirms' });
  // Not days later: the emulator repeats an attempt after three.
  await advanceToPeriodEnd(id);
  t.match(await payments.findSubscription(id), { state: 'PAST_DUE' });
  const waiting = (await all(payments.listInvoices(new Date(0)))).find(
    (one) => one.subscriptionId === id && one.state === 'OPEN',
  );
  t.match(waiting, { needsAction: true, attempts: 1, amountPaid: 0 });
  t.ok(waiting?.nextAttemptAt);
  await control('confirm', { invoice: waiting?.id });
  t.match(await payments.findInvoice(String(waiting?.id)), { state: 'PAID', needsAction: false });
  t.match(await payments.findSubscription(id), { state: 'ACTIVE' });
});

t.test('a change that cannot be paid is applied when paid and discarded after a day', async (t) => {
  const { id, order } = await buy(PERSONAL);
  const priceId = await payments.ensurePrice(FAMILY);
  for (const card of ['declines', 'confirms']) {
    await control('card', { customer: order.customerId, card });
    const waiting = await payments.changeSubscription(id, priceId, getSandboxNow(), `change:${card}`);
    t.match(waiting, { priceId: order.priceId, state: 'ACTIVE' }, card);
  }
  const findInvoice = async (state: string) =>
    (await all(payments.listInvoices(new Date(0)))).find(
      (one) => one.subscriptionId === id && one.state === state && one.total > 0,
    );
  t.match(await findInvoice('VOID'), { total: 300, amountPaid: 0 }, 'the invoice of the first change');
  const open = await findInvoice('OPEN');
  t.match(open, { total: 300, needsAction: true });
  await control('confirm', { invoice: open?.id });
  t.match(await payments.findSubscription(id), { priceId, state: 'ACTIVE' });

  const year = await payments.ensurePrice({ ...FAMILY, interval: 'year', amount: 6000 });
  await control('card', { customer: order.customerId, card: 'declines' });
  t.match(await payments.changeSubscription(id, year, getSandboxNow(), 'change:year'), { priceId });
  await control('clock', { seconds: 86_400 });
  t.match(await payments.findSubscription(id), { priceId, state: 'ACTIVE' });
  t.equal(await findInvoice('OPEN'), undefined);
});

t.test('opens the portal, and deleting a customer cancels the subscription', async (t) => {
  const { id, order } = await buy(PERSONAL);
  t.match(await payments.openPortal(order.customerId, 'https://qr.example.org/back', 'fr'), /^http/);
  await payments.deleteCustomer(order.customerId);
  await payments.deleteCustomer(order.customerId);
  t.match(await payments.findSubscription(id), { state: 'CANCELED' });
  const subscriptions = await all(payments.listSubscriptions());
  t.ok(subscriptions.some((one) => one.id === id));
});

t.test('accepts an emulator event and maps it to its object', async (t) => {
  const { id } = await buy(PERSONAL);
  const { data } = await stripe.events.list({ type: 'customer.subscription.created', limit: 1 });
  const { body, signature } = await control<{ body: string; signature: string }>('signed', {
    event: data[0]?.id,
  });
  const event = payments.readEvent(Buffer.from(body), signature, new Date());
  t.match(event, { subject: { object: 'SUBSCRIPTION', id }, closure: null });
  t.equal(event.id, data[0]?.id);
});
