import {
  createExampleCheckout,
  createExampleEvent,
  createExampleInvoice,
  createExampleSubscription,
} from '../../../providers/payments/examples.ts';
import { t } from '../../../tap.ts';
import { startStripeWebhookServer } from './stripe-webhook-server.ts';

// What somebody with the signing secret, but not the secret key, can do: docs/security/threat-model.md#invented-payment-events
const server = await startStripeWebhookServer(t);
const { client } = server.database;
const userId = await server.payer('cus_1');
const otherId = await server.payer('cus_2');
await server.addPrice('price_month');
const subscription = createExampleSubscription({ id: 'sub_known' });

let sent = 0;
async function send(kind: string, object: object): Promise<void> {
  t.equal(await server.send(createExampleEvent(kind, object, { id: `evt_${++sent}` })), 200, kind);
  await server.quiet();
}

const listRows = async () => ({
  subscriptions: await client.subscription.findMany({ select: { providerId: true, state: true } }),
  invoices: await client.paymentInvoice.findMany({ select: { providerId: true, state: true } }),
  notifications: await client.notification.count(),
});
const NOTHING = { subscriptions: [], invoices: [], notifications: 0 };

t.test('an invented subscription, invoice or purchase of a signed event stores nothing', async (t) => {
  server.addKnownObject({
    'subscriptions/sub_invented': null,
    'invoices/in_invented': null,
    'checkout/sessions/cs_invented': null,
    'charges/ch_invented': null,
  });
  const invented = createExampleSubscription({ id: 'sub_invented', metadata: { userId } });
  const invoice = createExampleInvoice({ id: 'in_invented' });
  for (const what of ['created', 'updated', 'resumed', 'deleted'])
    await send(`customer.subscription.${what}`, invented);
  for (const what of ['finalized', 'paid', 'payment_failed', 'voided'])
    await send(`invoice.${what}`, invoice);
  await send('customer.subscription.updated', { ...invented, status: 'canceled' });
  const checkout = { id: 'cs_invented', subscription: 'sub_invented', status: 'complete' } as const;
  await send('checkout.session.completed', createExampleCheckout(checkout));
  const charge = { object: 'charge', id: 'ch_invented', invoice: 'in_invented', customer: 'cus_1' };
  await send('charge.refunded', charge);
  await send('charge.dispute.closed', {
    object: 'dispute',
    id: 'dp_1',
    charge: 'ch_invented',
    status: 'won',
  });
  t.same(await listRows(), NOTHING);
  t.equal(await client.webhookEvent.count({ where: { state: 'WAITING' } }), 0, 'all are done');
});

t.test('a copy never raises a known subscription, and only an end closes it', async (t) => {
  server.addKnownObject({ 'subscriptions/sub_known': { ...subscription, status: 'unpaid' } });
  await send('customer.subscription.created', subscription);
  const findRow = () => client.subscription.findFirst({ where: { providerId: 'sub_known' } });
  t.match(await findRow(), { accountId: userId, state: 'UNPAID' }, 'what the provider says, not the copy');
  const version = (await findRow())?.version;

  server.addKnownObject({ 'subscriptions/sub_known': null });
  await send('customer.subscription.updated', subscription);
  t.match(await findRow(), { state: 'UNPAID', version });
  // The copy names the customer of another user.
  await send('customer.subscription.deleted', { ...subscription, customer: 'cus_2' });
  t.match(await findRow(), { accountId: userId, state: 'CANCELED' });
  t.equal(await client.notification.count({ where: { userId: otherId } }), 0);
  const ended = await findRow();
  await send('customer.subscription.created', subscription);
  await send('customer.subscription.deleted', { ...subscription, ended_at: 1 });
  t.same(await findRow(), ended, 'an end is final');
});

t.test('a copy never changes a known invoice', async (t) => {
  const open = createExampleInvoice({ id: 'in_known', status: 'open', amount_paid: 0, customer: 'cus_2' });
  server.addKnownObject({ 'invoices/in_known': open, invoice_payments: { object: 'list', data: [] } });
  await send('invoice.finalized', open);
  const findRow = () => client.paymentInvoice.findFirst({ where: { providerId: 'in_known' } });
  const before = await findRow();
  t.match(before, { accountId: otherId, state: 'OPEN' });
  server.addKnownObject({ 'invoices/in_known': null });
  for (const status of ['paid', 'void', 'uncollectible'] as const)
    await send('invoice.updated', { ...open, status, amount_paid: 300, attempt_count: 9 });
  t.same(await findRow(), before);
});

t.test('an event cannot give an object another type for good', async (t) => {
  server.addKnownObject({
    'checkout/sessions/sub_real': null,
    'subscriptions/sub_real': createExampleSubscription({ id: 'sub_real', customer: 'cus_2' }),
  });
  await send('checkout.session.completed', { object: 'checkout.session', id: 'sub_real' });
  await send('customer.subscription.created', createExampleSubscription({ id: 'sub_real' }));
  t.match(await client.subscription.findFirst({ where: { providerId: 'sub_real' } }), { accountId: otherId });
});
