import type Stripe from 'stripe';
import type { PackageOffer, PaymentError } from '../../../src/providers/payments/payments.port.ts';
import { createStripePaymentProvider } from '../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { t } from '../../tap.ts';
import {
  createExampleCheckout,
  createExampleInvoice,
  createExampleInvoiceLine,
  createExamplePayment,
  createExamplePrice,
  createExampleSubscription,
  PERIOD_END,
  PERIOD_START,
} from './examples.ts';
import { createListResponse, respondNotFound, respondWithError, startStripeServer } from './stripe-server.ts';

const server = await startStripeServer(t);
/** An error that Stripe repeats for its key. */
const repeated = respondWithError(...([500, { type: 'api_error' }] as const), {
  'idempotent-replayed': 'true',
  'stripe-should-retry': 'false',
});
const payments = createStripePaymentProvider({
  secretKey: 'sk_test_12345678',
  webhookSecrets: ['whsec_12345678'],
  apiBase: server.apiBase,
});
const at = (seconds: number) => new Date(seconds * 1000);
/** The form of the n-th request. */
const getForm = (index: number) => Object.fromEntries(server.requests.at(index)?.form ?? []);
const getKey = (index: number) => server.requests.at(index)?.headers['idempotency-key'];

const OFFER: PackageOffer = {
  packageId: '673f0000a1b2c3d4e5f60002',
  code: 'PERSONAL',
  version: 3,
  name: 'Personal',
  interval: 'month',
  currency: 'EUR',
  amount: 300,
};
const LOOKUP = 'price:673f0000a1b2c3d4e5f60002:3:month:EUR';
const PRODUCT = 'package_673f0000a1b2c3d4e5f60002';

t.test('creates a customer with address, language and id under the key', async (t) => {
  server.setReply({ 'POST /v1/customers': { object: 'customer', id: 'cus_1' } });
  const ada = { userId: 'u1', email: 'ada@example.org', language: 'de' };
  t.equal(await payments.createCustomer(ada, 'customer:u1'), 'cus_1');
  t.same(getForm(0), {
    email: 'ada@example.org',
    'preferred_locales[0]': 'de',
    'metadata[userId]': 'u1',
  });
  t.equal(getKey(0), 'customer:u1');
});

t.test('uses an existing price or creates one with its product', async (t) => {
  const calls = { prices: 'GET /v1/prices', price: 'POST /v1/prices', product: 'POST /v1/products' };
  server.setReply({ [calls.prices]: createListResponse([createExamplePrice()]) });
  t.equal(await payments.ensurePrice(OFFER), 'price_month');
  t.equal(server.requests[0]?.query.get('lookup_keys[0]'), LOOKUP);
  t.equal(server.requests.length, 1);

  const product = { object: 'product', id: PRODUCT };
  const made = createExamplePrice({ id: 'price_made' });
  const others = [createExamplePrice({ unit_amount: 900 }), createExamplePrice({ currency: 'usd' })];
  const findPrice = 'GET /v1/prices/price_made';
  const makes = { [calls.price]: made, [findPrice]: made };
  server.setReply({ [calls.prices]: createListResponse(others), [calls.product]: product, ...makes });
  t.equal(await payments.ensurePrice(OFFER), 'price_made', 'one with the key that asks for another amount');
  t.same(server.calls(), [calls.prices, calls.product, calls.price, findPrice]);
  t.match(getForm(1), { id: PRODUCT, name: 'Personal', 'metadata[code]': 'PERSONAL' });
  t.same(getForm(2), {
    product: PRODUCT,
    currency: 'eur',
    unit_amount: '300',
    'recurring[interval]': 'month',
    lookup_key: LOOKUP,
    transfer_lookup_key: 'true',
    'metadata[packageId]': OFFER.packageId,
    'metadata[version]': '3',
  });
  t.equal(getKey(2), `${LOOKUP}:300`);

  const known = respondWithError(400, { code: 'resource_already_exists' });
  const update = `POST /v1/products/${PRODUCT}`;
  server.setReply({
    [calls.prices]: createListResponse([]),
    [calls.product]: known,
    [update]: product,
    ...makes,
  });
  t.equal(await payments.ensurePrice({ ...OFFER, name: 'For one', currency: 'ISK' }), 'price_made');
  t.same(getForm(2), { name: 'For one', active: 'true' }, 'the product has the new name');
  t.match(getForm(3), { currency: 'isk', unit_amount: '30000' });

  const anew = createExamplePrice({ id: 'price_anew' });
  server.setReply({
    [calls.prices]: createListResponse([]),
    [calls.product]: product,
    [calls.price]: [made, anew],
    [findPrice]: { ...made, active: false },
  });
  t.equal(await payments.ensurePrice(OFFER), 'price_anew', 'the one that its key answers was retired');
  t.equal(getKey(4), `${LOOKUP}:300:after:price_made`);

  const broken = respondWithError(400, { code: 'parameter_invalid_empty' });
  server.setReply({ [calls.prices]: createListResponse([]), [calls.product]: broken });
  await t.rejects(payments.ensurePrice(OFFER), { failure: 'REFUSED' } as PaymentError);
});

t.test(
  'a checkout has our price and our return addresses, and is opened once for each idempotency key',
  async (t) => {
    const order = {
      customerId: 'cus_1',
      priceId: 'price_month',
      userId: 'u1',
      language: 'uk',
      successUrl: 'https://qr.example.org/paid?a=1&b={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://qr.example.org/not-paid',
      expiresAt: new Date((PERIOD_START + 1800) * 1000 + 700),
    };
    const open = 'POST /v1/checkout/sessions';
    server.setReply({ [open]: createExampleCheckout() });
    const opened = { id: 'cs_test_1', state: 'OPEN', url: createExampleCheckout().url, subscriptionId: null };
    t.same(await payments.openCheckout(order, 'checkout:c1'), opened);
    t.same(getForm(0), {
      mode: 'subscription',
      customer: 'cus_1',
      client_reference_id: 'u1',
      'line_items[0][price]': 'price_month',
      'line_items[0][quantity]': '1',
      'metadata[userId]': 'u1',
      'metadata[key]': 'checkout:c1',
      'subscription_data[metadata][userId]': 'u1',
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
      locale: 'auto',
      expires_at: String(PERIOD_START + 1800),
    });
    t.equal(getKey(0), 'checkout:c1');

    const found = [
      createExampleCheckout({ id: 'cs_2' }),
      createExampleCheckout({ metadata: { key: 'checkout:c1' } }),
    ];
    server.setReply({ [open]: repeated, 'GET /v1/checkout/sessions': createListResponse(found) });
    t.match(await payments.openCheckout(order, 'checkout:c1'), opened, 'found after a failure');
  },
);

t.test('maps open, paid and expired checkouts', async (t) => {
  const find = 'GET /v1/checkout/sessions/cs_1';
  const complete = createExampleCheckout({ status: 'complete', subscription: 'sub_1' });
  server.setReply({
    [find]: [complete, createExampleCheckout({ status: 'expired' }), createExampleCheckout({ status: null })],
  });
  t.match(await payments.findCheckout('cs_1'), { state: 'COMPLETED', url: null, subscriptionId: 'sub_1' });
  t.match(await payments.findCheckout('cs_1'), { state: 'EXPIRED', url: null, subscriptionId: null });
  t.match(await payments.findCheckout('cs_1'), { state: 'EXPIRED', url: null }, 'an unknown status');

  const expire = 'POST /v1/checkout/sessions/cs_1/expire';
  server.setReply({ [expire]: createExampleCheckout({ status: 'expired' }) });
  await payments.expireCheckout('cs_1');
  server.setReply({ [expire]: respondWithError(400), [find]: complete });
  await payments.expireCheckout('cs_1');
  t.same(server.calls(), [expire, find], 'one that was paid on stays as it is');
  server.setReply({ [expire]: respondWithError(400), [find]: createExampleCheckout() });
  await t.rejects(
    payments.expireCheckout('cs_1'),
    { failure: 'REFUSED' } as PaymentError,
    'one that is open',
  );
});

t.test('a subscription ends immediately or with its period, and an ended one is not changed', async (t) => {
  const [find, change, end] = ['GET', 'POST', 'DELETE'].map((method) => `${method} /v1/subscriptions/sub_1`);
  const ended = createExampleSubscription({ status: 'canceled', ended_at: PERIOD_START });
  if (!find || !change || !end) return;
  server.setReply({ [change]: createExampleSubscription({ cancel_at_period_end: true }) });
  t.match(await payments.cancelSubscription('sub_1', 'PERIOD_END'), { cancelAtPeriodEnd: true });
  t.same(getForm(0), { cancel_at_period_end: 'true' });
  server.setReply({ [end]: ended });
  t.match(await payments.cancelSubscription('sub_1', 'NOW'), { state: 'CANCELED' });

  server.setReply({ [end]: respondNotFound, [change]: respondWithError(400), [find]: ended });
  t.match(await payments.cancelSubscription('sub_1', 'NOW'), { state: 'CANCELED' }, 'again');
  t.match(
    await payments.cancelSubscription('sub_1', 'PERIOD_END'),
    { state: 'CANCELED' },
    'again, with its period',
  );

  const unpaid = createExampleSubscription({ status: 'incomplete' });
  const expired = createExampleSubscription({ status: 'incomplete_expired' });
  server.setReply({ [change]: respondWithError(400), [find]: unpaid, [end]: expired });
  t.match(await payments.cancelSubscription('sub_1', 'PERIOD_END'), { state: 'CANCELED' }, 'never paid');
  server.setReply({ [change]: respondWithError(400), [find]: createExampleSubscription() });
  const refused = { failure: 'REFUSED' } as PaymentError;
  await t.rejects(payments.cancelSubscription('sub_1', 'PERIOD_END'), refused);
});

t.test('undoes a cancellation in the way it was set', async (t) => {
  const find = 'GET /v1/subscriptions/sub_1';
  const change = 'POST /v1/subscriptions/sub_1';
  const subscription = createExampleSubscription();
  const ending = { cancel_at_period_end: true, cancel_at: PERIOD_END };
  server.setReply({ [find]: createExampleSubscription(ending), [change]: subscription });
  t.match(await payments.undoCancellation('sub_1'), { cancelAtPeriodEnd: false });
  t.same(getForm(1), { cancel_at_period_end: 'false' });
  server.setReply({ [find]: createExampleSubscription({ cancel_at: PERIOD_END }), [change]: subscription });
  t.match(await payments.undoCancellation('sub_1'), { cancelAtPeriodEnd: false });
  t.same(getForm(1), { cancel_at: '' });
  for (const as of [subscription, createExampleSubscription({ status: 'canceled', cancel_at: PERIOD_END })]) {
    server.setReply({ [find]: as });
    await payments.undoCancellation('sub_1');
    t.same(server.calls(), [find], 'nothing to take back');
  }
});

t.test('previews a price change and applies it at the same proration date', async (t) => {
  const find = 'GET /v1/subscriptions/sub_1';
  const preview = 'POST /v1/invoices/create_preview';
  const yearEnd = PERIOD_START + 400 * 86_400;
  const pricing = (price: string): Partial<Stripe.InvoiceLineItem> => ({
    pricing: { type: 'price_details', unit_amount_decimal: null, price_details: { price, product: 'p' } },
  });
  const lines = [
    createExampleInvoiceLine({ start: PERIOD_START + 9, end: yearEnd }, true, pricing('price_old')),
    createExampleInvoiceLine({ start: PERIOD_START + 9, end: PERIOD_END }, true, pricing('price_new')),
  ];
  const invoice = createExampleInvoice({
    total: 700,
    amount_due: 650,
    lines: { ...createExampleInvoice().lines, data: lines },
  });
  const price = createExamplePrice({ id: 'price_new', unit_amount: 1000 });
  const calls = { [find]: createExampleSubscription(), 'GET /v1/prices/price_new': price };
  server.setReply({ ...calls, [preview]: invoice });
  t.same(await payments.previewChange('sub_1', 'price_new', at(PERIOD_START + 9)), {
    currency: 'EUR',
    dueNow: 650,
    perPeriod: 1000,
    currentPeriodEnd: at(PERIOD_END),
  });
  t.same(getForm(2), {
    subscription: 'sub_1',
    'subscription_details[items][0][id]': 'si_1',
    'subscription_details[items][0][price]': 'price_new',
    'subscription_details[proration_behavior]': 'always_invoice',
    'subscription_details[proration_date]': String(PERIOD_START + 9),
  });
  const credit = createExampleInvoice({
    total: -120,
    amount_due: 0,
    lines: { ...createExampleInvoice().lines, data: [] },
  });
  server.setReply({ ...calls, [preview]: credit });
  const cheaper = await payments.previewChange('sub_1', 'price_new', at(PERIOD_START + 9));
  t.match(cheaper, { dueNow: -120, currentPeriodEnd: at(PERIOD_END) }, 'credited');

  const change = 'POST /v1/subscriptions/sub_1';
  const changed = createExampleSubscription({}, { price: createExamplePrice({ id: 'price_new' }) });
  server.setReply({ [find]: createExampleSubscription(), [change]: changed });
  const sold = await payments.changeSubscription('sub_1', 'price_new', at(PERIOD_START + 9), 'change:1');
  t.equal(sold.priceId, 'price_new');
  t.same(getForm(1), {
    'items[0][id]': 'si_1',
    'items[0][price]': 'price_new',
    proration_behavior: 'always_invoice',
    proration_date: String(PERIOD_START + 9),
    payment_behavior: 'pending_if_incomplete',
  });
  t.equal(getKey(1), 'change:1');

  server.setReply({ [find]: [createExampleSubscription(), changed], [change]: repeated });
  const found = await payments.changeSubscription('sub_1', 'price_new', at(PERIOD_START + 9), 'change:1');
  t.equal(found.priceId, 'price_new', 'found after a failure');
});

t.test('opens the portal, also without a default configuration', async (t) => {
  const open = 'POST /v1/billing_portal/sessions';
  const page = { object: 'billing_portal.session', id: 'bps_1', url: 'https://billing.example.org/bps_1' };
  server.setReply({ [open]: page });
  t.equal(await payments.openPortal('cus_1', 'https://qr.example.org/back', 'fr'), page.url);
  t.same(getForm(0), { customer: 'cus_1', return_url: 'https://qr.example.org/back', locale: 'fr' });

  const find = 'GET /v1/billing_portal/configurations';
  const make = 'POST /v1/billing_portal/configurations';
  const settings = { object: 'billing_portal.configuration', id: 'bpc_1', metadata: {} };
  server.setReply({
    [open]: [respondWithError(400), page],
    [find]: createListResponse([settings]),
    [make]: { ...settings, id: 'bpc_2' },
  });
  t.equal(await payments.openPortal('cus_1', 'https://qr.example.org/back', 'fr'), page.url);
  t.same(server.calls(), [open, find, make, open]);
  t.equal(getForm(3).configuration, 'bpc_2');
  t.notOk(
    Object.keys(getForm(2)).some((name) => name.includes('subscription')),
    'nothing can be changed there',
  );

  const metadata = { madeFor: getForm(2)['metadata[madeFor]'] };
  server.setReply({
    [open]: [respondWithError(400), page],
    [find]: createListResponse([settings, { ...settings, id: 'bpc_3', metadata }]),
  });
  await payments.openPortal('cus_1', 'https://qr.example.org/back', 'fr');
  t.same(server.calls(), [open, find, open], 'an existing configuration is reused');
  server.setReply({ [open]: respondWithError(401) });
  await t.rejects(payments.openPortal('cus_1', 'https://qr.example.org/back', 'fr'), {
    ...({ failure: 'CREDENTIALS' } as PaymentError),
  });
  t.same(server.calls(), [open]);
});

t.test('merges payments into an invoice', async (t) => {
  const find = 'GET /v1/invoices/in_1';
  const paid = 'GET /v1/invoice_payments';
  server.setReply({
    [find]: createExampleInvoice(),
    [paid]: createListResponse([createExamplePayment({ amount_refunded: 100, disputed: true })]),
    'GET /v1/disputes': createListResponse([{ object: 'dispute', id: 'du_1', status: 'needs_response' }]),
  });
  t.match(await payments.findInvoice('in_1'), {
    ...({ amountRefunded: 100, isDisputed: true, isDisputeLost: false, state: 'PAID' } as const),
  });
  t.equal(server.requests[2]?.query.get('charge'), 'ch_1');
  t.equal(server.requests[1]?.query.get('invoice'), 'in_1');
  t.equal(server.requests[1]?.query.get('expand[0]'), 'data.payment.payment_intent.latest_charge');
  server.setReply({ [find]: createExampleInvoice({ status: 'draft' }) });
  t.match(await payments.findInvoice('in_1'), { state: 'DRAFT', amountRefunded: 0 });
  t.equal(server.requests.length, 1, 'a draft has no payments');
  server.setReply({ [find]: createExampleInvoice() });
  t.equal(await payments.findInvoiceUrl('in_1'), createExampleInvoice().hosted_invoice_url);
  server.setReply({ [find]: createExampleInvoice({ hosted_invoice_url: null }) });
  t.equal(await payments.findInvoiceUrl('in_1'), null);
});

t.test('finds the invoice of a charge', async (t) => {
  const find = 'GET /v1/charges/ch_1';
  const paid = 'GET /v1/invoice_payments';
  const charge = { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' };
  server.setReply({ [find]: charge, [paid]: createListResponse([createExamplePayment()]) });
  t.equal(await payments.findInvoiceOfCharge('ch_1'), 'in_1');
  t.equal(server.requests[1]?.query.get('payment[payment_intent]'), 'pi_1');
  t.equal(server.requests[1]?.query.get('payment[type]'), 'payment_intent');
  server.setReply({ [find]: charge, [paid]: createListResponse([]) });
  t.equal(await payments.findInvoiceOfCharge('ch_1'), null, 'of no invoice');
  server.setReply({ [find]: { ...charge, payment_intent: null } });
  t.equal(await payments.findInvoiceOfCharge('ch_1'), null, 'of no intent');
});

t.test('reads lists to the last page', async (t) => {
  const weekly = createExamplePrice({ recurring: null });
  const pages = [
    createListResponse(
      [createExampleSubscription(), createExampleSubscription({ id: 'sub_2' }, { price: weekly })],
      true,
    ),
    createListResponse([createExampleSubscription({ id: 'sub_3' })]),
  ];
  server.setReply({ 'GET /v1/subscriptions': pages });
  const ids = [];
  for await (const { id } of payments.listSubscriptions()) ids.push(id);
  t.same(ids, ['sub_1', 'sub_3'], 'without unsupported subscriptions');
  t.same(
    server.requests.map(({ query }) => [query.get('status'), query.get('starting_after')]),
    [
      ['all', null],
      ['all', 'sub_2'],
    ],
  );

  server.setReply({
    'GET /v1/invoice_payments': [
      createListResponse(
        [createExamplePayment({ amount_refunded: 10 }), createExamplePayment({}, { invoice: 'in_2' })],
        true,
      ),
      createListResponse([createExamplePayment({ amount_refunded: 20 })]),
    ],
    'GET /v1/invoices': createListResponse([
      createExampleInvoice(),
      createExampleInvoice({ id: 'in_2' }),
      createExampleInvoice({ customer: null }),
    ]),
  });
  const refunds = new Map<string, number>();
  for await (const { id, amountRefunded } of payments.listInvoices(at(PERIOD_START)))
    refunds.set(id, amountRefunded);
  t.same(
    [...refunds],
    [
      ['in_1', 30],
      ['in_2', 0],
    ],
  );
  t.ok(server.requests.every(({ query }) => query.get('created[gte]') === String(PERIOD_START)));
});
