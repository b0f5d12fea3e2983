import Stripe from 'stripe';
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
    t.match(event, { id: 'evt_1', kind, subject: null, closure: null }, kind);
  }
  const connected = createExampleEvent('invoice.paid', createExampleInvoice(), { account: 'acct_1' });
  t.match(read(connected), { subject: null, closure: null }, 'of an account that is connected');
  const bare = read({ id: 'evt_test_webhook', object: 'event' });
  t.same(bare, { id: 'evt_test_webhook', kind: 'unknown', createdAt: NOW, subject: null, closure: null });
  for (const data of [null, 1, 'x', [], { object: 'invoice' }, { object: 3 }])
    t.match(read({ id: 'evt_1', object: 'event', type: 'invoice.paid', data }), { subject: null });
  for (const created of [1e300, -1, 'x', null])
    t.same(read({ id: 'evt_1', object: 'event', created }).createdAt, NOW, String(created));
});

t.test('of the copy in an event only the end of a subscription is read', async (t) => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const readClosure = (kind: string, object: object) => read(createExampleEvent(kind, object)).closure;
  const deleted = 'customer.subscription.deleted';
  const updated = 'customer.subscription.updated';
  const ended = { status: 'canceled', canceled_at: PERIOD_START + 5, ended_at: PERIOD_START + 6 } as const;
  const closure = { canceledAt: at(PERIOD_START + 5), endedAt: at(PERIOD_START + 6) };
  t.same(read(createExampleEvent(deleted, createExampleSubscription(ended))).createdAt, at(PERIOD_START + 3));
  t.same(readClosure(deleted, createExampleSubscription(ended)), closure);
  t.same(readClosure(updated, createExampleSubscription(ended)), closure);
  t.same(
    readClosure(deleted, createExampleSubscription()),
    { canceledAt: null, endedAt: at(PERIOD_START + 3) },
    'whatever its state is said to be',
  );
  const expired = createExampleSubscription({ status: 'incomplete_expired', canceled_at: PERIOD_START });
  t.same(readClosure(updated, expired), { canceledAt: at(PERIOD_START), endedAt: at(PERIOD_START) });
  t.equal(readClosure(updated, createExampleSubscription()), null);
  for (const what of ['created', 'paid', 'voided', 'deleted'])
    t.equal(readClosure(`invoice.${what}`, createExampleInvoice({ status: 'void' })), null, what);
});

t.test('an event with an invalid object still requests a sync', async (t) => {
  for (const object of [
    { object: 'subscription', id: 'sub_1' },
    { ...createExampleSubscription(), status: 'a new one' },
    { ...createExampleSubscription(), items: { data: [] } },
  ])
    t.match(read(createExampleEvent('customer.subscription.updated', object)), {
      subject: { object: 'SUBSCRIPTION', id: 'sub_1' },
      closure: null,
    });
});
