import Stripe from 'stripe';
import type { PaymentWebhookEvent } from '../../../src/providers/payments/payments.port.ts';
import { createStripePaymentProvider } from '../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { t } from '../../tap.ts';
import {
  createExampleEvent,
  createExampleInvoice,
  createExampleSubscription,
  PERIOD_START,
} from './examples.ts';

const SECRET = 'whsec_of_the_service';
const NOW = new Date();
const payments = createStripePaymentProvider({
  secretKey: 'sk_test_12345678',
  webhookSecrets: [SECRET],
  apiBase: 'http://127.0.0.1:9',
});

function read(event: object) {
  const payload = JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET });
  return payments.readEvent(Buffer.from(payload), header, NOW);
}
const getSubject = (kind: string, object: object) => read(createExampleEvent(kind, object)).subject;

t.test('maps an event to the object to sync', async (t) => {
  const happened = ['created', 'updated', 'deleted', 'paused', 'resumed', 'trial_will_end'];
  for (const what of [...happened, 'pending_update_applied', 'pending_update_expired']) {
    const kind = `customer.subscription.${what}`;
    t.same(getSubject(kind, createExampleSubscription()), { object: 'SUBSCRIPTION', id: 'sub_1' }, kind);
  }
  const billed = ['created', 'finalized', 'paid', 'payment_failed', 'payment_action_required', 'voided'];
  for (const what of [...billed, 'payment_succeeded', 'updated', 'marked_uncollectible', 'deleted'])
    t.same(getSubject(`invoice.${what}`, createExampleInvoice()), { object: 'INVOICE', id: 'in_1' }, what);
  const payment = { object: 'invoice_payment', id: 'inpay_1', invoice: 'in_1' };
  t.same(getSubject('invoice_payment.paid', payment), { object: 'INVOICE', id: 'in_1' });
  for (const what of ['completed', 'expired', 'async_payment_succeeded', 'async_payment_failed']) {
    const session = { object: 'checkout.session', id: 'cs_1' };
    t.same(getSubject(`checkout.session.${what}`, session), { object: 'CHECKOUT', id: 'cs_1' }, what);
  }
  const charge = { object: 'CHARGE', id: 'ch_1' };
  t.same(getSubject('charge.refunded', { object: 'charge', id: 'ch_1' }), charge);
  for (const kind of ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])
    t.same(getSubject(kind, { object: 'refund', id: 're_1', charge: 'ch_1' }), charge, kind);
  for (const what of ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'])
    t.same(getSubject(`charge.dispute.${what}`, { object: 'dispute', id: 'dp_1', charge: 'ch_1' }), charge);
  const whole = { object: 'dispute', id: 'dp_1', charge: { object: 'charge', id: 'ch_1' } };
  t.same(getSubject('charge.dispute.created', whole), charge, 'a charge given as a whole');
  t.same(getSubject('customer.deleted', { object: 'customer', id: 'cus_1' }), {
    object: 'CUSTOMER',
    id: 'cus_1',
  });
});

t.test('reads an event of an unknown type', async (t) => {
  const nothing: [string, object][] = [
    ['charge.succeeded', { object: 'charge', id: 'ch_1' }],
    ['customer.updated', { object: 'customer', id: 'cus_1' }],
    ['customer.discount.created', { object: 'discount', id: 'di_1', subscription: 'sub_1' }],
    ['invoice.upcoming', createExampleInvoice({ id: 'upcoming_in_1' })],
    ['invoiceitem.created', { object: 'invoiceitem', id: 'ii_1', invoice: 'in_1' }],
    ['payment_intent.succeeded', { object: 'payment_intent', id: 'pi_1' }],
    ['refund.created', { object: 'refund', id: 're_1', charge: null }],
    ['subscription_schedule.created', { object: 'subscription_schedule', id: 'sub_sched_1' }],
    ['something.new', { object: 'something', id: 'x_1' }],
    ['something.new', {}],
    ['invoice.paid', { object: 'invoice' }],
    ['invoice.paid', { object: 'invoice', id: 'in_1/../../customers' }],
    ['invoice.paid', { object: 'invoice', id: { a: 1 } }],
  ];
  for (const [kind, object] of nothing) {
    const event = read(createExampleEvent(kind, object));
    t.match(event, { id: 'evt_1', kind, subject: null, snapshot: null }, kind);
  }
  const connected = createExampleEvent('invoice.paid', createExampleInvoice(), { account: 'acct_1' });
  t.match(read(connected), { subject: null, snapshot: null }, 'of an account that is connected');
  const bare = read({ id: 'evt_test_webhook', object: 'event' });
  t.same(bare, { id: 'evt_test_webhook', kind: 'unknown', createdAt: NOW, subject: null, snapshot: null });
  for (const data of [null, 1, 'x', [], { object: 'invoice' }, { object: 3 }])
    t.match(read({ id: 'evt_1', object: 'event', type: 'invoice.paid', data }), { subject: null });
  for (const created of [1e300, -1, 'x', null])
    t.same(read({ id: 'evt_1', object: 'event', created }).createdAt, NOW, String(created));
});

/** The end of a subscription, in seconds. */
const getEnd = ({ snapshot }: PaymentWebhookEvent) =>
  snapshot?.object === 'SUBSCRIPTION' && snapshot.endedAt && snapshot.endedAt.getTime() / 1000;

t.test('an event contains a snapshot of a subscription or invoice', async (t) => {
  const ended = { status: 'canceled', canceled_at: PERIOD_START + 5, ended_at: PERIOD_START + 6 } as const;
  const deleted = read(createExampleEvent('customer.subscription.deleted', createExampleSubscription(ended)));
  t.same(deleted.createdAt, new Date((PERIOD_START + 3) * 1000));
  t.match(deleted.snapshot, { object: 'SUBSCRIPTION', state: 'CANCELED' });
  t.equal(getEnd(deleted), PERIOD_START + 6);
  const kind = 'customer.subscription.deleted';
  const live = read(createExampleEvent(kind, createExampleSubscription()));
  t.match(live.snapshot, { state: 'CANCELED' }, 'whatever its state is said to be');
  t.equal(getEnd(live), PERIOD_START + 3);
  t.equal(
    getEnd(read(createExampleEvent(kind, createExampleSubscription({ ended_at: PERIOD_START + 1 })))),
    PERIOD_START + 1,
  );
  const paid = read(createExampleEvent('invoice.paid', createExampleInvoice()));
  t.match(paid.snapshot, { object: 'INVOICE', id: 'in_1', state: 'PAID', subscriptionId: 'sub_1' });
  const draft = createExampleInvoice({ status: 'draft', number: null });
  t.match(read(createExampleEvent('invoice.created', draft)).snapshot, { state: 'DRAFT' });
  t.match(read(createExampleEvent('invoice.deleted', draft)).snapshot, { state: 'DRAFT' });
});

t.test('an event with an invalid object still requests a sync', async (t) => {
  for (const object of [
    { object: 'subscription', id: 'sub_1' },
    { ...createExampleSubscription(), status: 'a new one' },
    { ...createExampleSubscription(), items: { data: [] } },
  ])
    t.match(read(createExampleEvent('customer.subscription.updated', object)), {
      subject: { object: 'SUBSCRIPTION', id: 'sub_1' },
      snapshot: null,
    });
});
