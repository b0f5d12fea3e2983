import { readFile } from 'node:fs/promises';
import type Stripe from 'stripe';
import { fc } from '../../../property.ts';
import { readEventKinds } from '../../../providers/payments/event-kinds.ts';
import {
  createExampleCheckout,
  createExampleEvent,
  createExampleInvoice,
  createExamplePayment,
  createExampleSubscription,
} from '../../../providers/payments/examples.ts';
import { createListResponse } from '../../../providers/payments/stripe-server.ts';
import { t } from '../../../tap.ts';
import { startStripeWebhookServer } from './stripe-webhook-server.ts';

// Run with Stripe's published examples, openapi/fixtures3.json of its OpenAPI repository:
// STRIPE_EXAMPLES=<file> npm test -- test/features/billing/payments/stripe-kinds.test.ts
const { STRIPE_EXAMPLES } = process.env;
const published: Record<string, Example> = STRIPE_EXAMPLES
  ? JSON.parse(await readFile(STRIPE_EXAMPLES, 'utf8')).resources
  : {};

interface Example {
  id?: string;
  object: string;
}

const OWN: Record<string, object> = {
  charge: { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' },
  'checkout.session': createExampleCheckout({ subscription: 'sub_1', status: 'complete' }),
  customer: { object: 'customer', id: 'cus_1' },
  dispute: { object: 'dispute', id: 'dp_1', charge: 'ch_1' },
  invoice: createExampleInvoice(),
  invoice_payment: createExamplePayment(),
  refund: { object: 'refund', id: 're_1', charge: 'ch_1' },
  subscription: createExampleSubscription(),
};

/** Event types whose object is synced. */
const SYNCED_TYPES =
  /^(checkout\.session|customer\.subscription|invoice|invoice_payment|refund|charge\.dispute|charge\.refund)\.|^charge\.refunded$|^customer\.deleted$/;

const server = await startStripeWebhookServer(t);
const { client } = server.database;
const kinds = await readEventKinds();

function getExample(object: string): Example {
  return (published[object] ?? OWN[object] ?? { object, id: 'one_1' }) as Example;
}

const subscription = getExample('subscription') as Stripe.Subscription;
const invoice = getExample('invoice') as Stripe.Invoice;
const payment = getExample('invoice_payment') as Stripe.InvoicePayment;
const getId = (reference: string | { id: string } | null) =>
  typeof reference === 'string' ? reference : String(reference?.id);

/** Paths of the objects that events lead to. */
const paths: Record<string, object> = {
  [`subscriptions/${subscription.id}`]: subscription,
  [`invoices/${invoice.id}`]: invoice,
  [`invoices/${getId(payment.invoice)}`]: invoice,
  [`checkout/sessions/${getExample('checkout.session').id}`]: getExample('checkout.session'),
};
for (const one of ['refund', 'dispute'])
  paths[`charges/${(getExample(one) as Stripe.Refund).charge}`] = getExample('charge');
paths[`charges/${getExample('charge').id}`] = getExample('charge');

for (const customer of new Set([subscription.customer, invoice.customer]))
  await server.payer(getId(customer));
await server.addPrice(String(subscription.items.data[0]?.price.id));

const shuffled = <One>(ones: readonly One[], orders = 1): One[][] =>
  fc.sample(fc.shuffledSubarray([...ones], { minLength: ones.length }), orders);

/** Deliver an event of each type twice, shuffled; return ids by type. */
async function deliverAll(run: string): Promise<Map<string, string>> {
  const ids = new Map(kinds.map(({ kind }, index) => [kind, `evt_${run}_${index}`]));
  const events = kinds.map(({ kind, object }) =>
    createExampleEvent(kind, getExample(object), { id: ids.get(kind) }),
  );
  const [order = []] = shuffled([...events, ...events]);
  const answers = await Promise.all(order.map(server.send));
  t.same(new Set(answers), new Set([200]));
  await server.quiet();
  return ids;
}

const at = (seconds: number | null | undefined) => (seconds == null ? null : new Date(seconds * 1000));

t.test('every event type is accepted in any order and twice, and stored once', async (t) => {
  t.ok(kinds.length > 270, `${kinds.length} kinds`);
  server.addKnownObject({ ...paths, invoice_payments: createListResponse([payment]) });
  const ids = await deliverAll('known');
  const rows = await client.webhookEvent.findMany();
  const states = new Map(rows.map(({ eventId, state }) => [eventId, state]));
  t.equal(rows.length, kinds.length, 'each is stored once');
  for (const [kind, id] of ids) {
    const isHeeded = SYNCED_TYPES.test(kind) && kind !== 'invoice.upcoming';
    t.equal(states.get(id), isHeeded ? 'DONE' : 'IGNORED', kind);
  }
  t.same(server.serviceLog, [], 'without a complaint');

  const [item] = subscription.items.data;
  const [bought, ...others] = await client.subscription.findMany();
  t.match(bought, { providerId: subscription.id, currency: subscription.currency.toUpperCase() });
  t.same(
    [bought?.currentPeriodStart, bought?.currentPeriodEnd, bought?.trialEndsAt, bought?.startedAt],
    [
      item?.current_period_start,
      item?.current_period_end,
      subscription.trial_end,
      subscription.start_date,
    ].map(at),
  );
  t.same(others, []);
  const bills = await client.paymentInvoice.findMany({ where: { providerId: invoice.id } });
  t.equal(bills.length, invoice.status === 'draft' ? 0 : 1);
  for (const bill of bills)
    t.same([bill.number, bill.total, bill.issuedAt], [invoice.number, invoice.total, at(invoice.created)]);
});

t.test('a subscription deleted at the provider is ended, and nothing is made of copies', async (t) => {
  await client.paymentInvoice.deleteMany();
  server.addKnownObject(Object.fromEntries(Object.keys(paths).map((path) => [path, null])));
  await deliverAll('unknown');
  t.match(await client.subscription.findMany(), [{ providerId: subscription.id, state: 'CANCELED' }]);
  t.same(await client.paymentInvoice.findMany(), []);
  await client.subscription.deleteMany();
  await deliverAll('forgotten');
  t.same(await client.subscription.findMany(), []);
  t.same(server.serviceLog, [], 'without a complaint');
});
