import Stripe from 'stripe';
import { createStripePaymentProvider } from '../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { t } from '../../tap.ts';
import {
  createExampleEvent,
  createExampleInvoice,
  createExampleInvoiceLine,
  createExampleSubscription,
  PERIOD_END,
  PERIOD_START,
} from './examples.ts';

const SECRET = 'whsec_of_the_service';
const payments = createStripePaymentProvider({
  secretKey: 'sk_test_12345678',
  webhookSecrets: [SECRET],
  apiBase: 'http://127.0.0.1:9',
});

/** Get the snapshot of an event of an older API version. */
function readSnapshot(kind: string, object: object, api_version: string) {
  const payload = JSON.stringify(createExampleEvent(kind, object, { api_version }));
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET });
  return payments.readEvent(Buffer.from(payload), header, new Date()).snapshot;
}

/** Copy an object without some fields and with others. */
function toOlderObject(object: object, without: string[], others: object = {}): object {
  const left = Object.entries(object).filter(([name]) => !without.includes(name));
  return { ...Object.fromEntries(left), ...others };
}

const date = (seconds: number) => new Date(seconds * 1000);

t.test('reads a subscription of an older API version', async (t) => {
  const updated = 'customer.subscription.updated';
  const period = ['current_period_start', 'current_period_end'];
  const { items } = createExampleSubscription();
  const data = items.data.map((item) => toOlderObject(item, period));
  const subscription = {
    ...createExampleSubscription({ cancel_at: PERIOD_END }),
    current_period_start: PERIOD_START,
    current_period_end: PERIOD_END,
    items: { ...items, data },
  };
  const bought = {
    object: 'SUBSCRIPTION',
    id: 'sub_1',
    customerId: 'cus_1',
    priceId: 'price_month',
    interval: 'month',
    currency: 'EUR',
    state: 'ACTIVE',
    cancelAtPeriodEnd: true,
    currentPeriodStart: date(PERIOD_START),
    currentPeriodEnd: date(PERIOD_END),
    startedAt: date(PERIOD_START),
    trialEndsAt: null,
    canceledAt: null,
    endedAt: null,
  };
  for (const version of ['2025-02-24.acacia', '2024-06-20', '2020-08-27'])
    t.same(readSnapshot(updated, subscription, version), bought, version);
  const without = toOlderObject(subscription, ['start_date'], { start: PERIOD_START + 5 });
  t.same(readSnapshot(updated, without, '2019-09-09'), bought, 'without a date of the start');
});

t.test('reads an invoice of an older API version', async (t) => {
  const createLine = (start: number, end: number, others: object) =>
    toOlderObject(createExampleInvoiceLine({ start, end }), ['parent'], { subscription: 'sub_1', ...others });
  const lines = {
    ...createExampleInvoice().lines,
    data: [
      createLine(PERIOD_START - 99, PERIOD_START, { type: 'invoiceitem', proration: true }),
      createLine(PERIOD_START, PERIOD_END, { type: 'subscription', proration: false }),
      createLine(PERIOD_START, PERIOD_END + 99, { type: 'invoiceitem', proration: false }),
    ],
  };
  const invoice = toOlderObject(createExampleInvoice(), ['parent'], {
    subscription: 'sub_1',
    charge: 'ch_1',
    payment_intent: 'pi_1',
    paid: true,
    lines,
  });
  const paid = {
    object: 'INVOICE',
    id: 'in_1',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    number: 'A-1',
    state: 'PAID',
    currency: 'EUR',
    total: 300,
    amountPaid: 300,
    amountRefunded: 0,
    isDisputed: false,
    attempts: 1,
    needsAction: false,
    nextAttemptAt: null,
    periodStart: date(PERIOD_START),
    periodEnd: date(PERIOD_END),
    issuedAt: date(PERIOD_START),
    paidAt: date(PERIOD_START + 2),
  };
  for (const version of ['2025-02-24.acacia', '2022-11-15', '2019-03-14'])
    t.same(readSnapshot('invoice.paid', invoice, version), paid, version);
  const whole = { ...invoice, subscription: { object: 'subscription', id: 'sub_1' } };
  t.same(readSnapshot('invoice.paid', whole, '2022-11-15'), paid, 'the subscription given as a whole');
  const dated = toOlderObject(invoice, ['created', 'status_transitions'], {
    date: PERIOD_START,
    finalized_at: PERIOD_START + 1,
  });
  t.same(readSnapshot('invoice.paid', dated, '2019-02-19'), { ...paid, paidAt: null }, 'by other names');
  const closed = toOlderObject(dated, ['status', 'amount_paid'], { closed: true, forgiven: false });
  t.equal(readSnapshot('invoice.paid', closed, '2017-08-15'), null, 'not what says too little');
  const unsaid = toOlderObject(dated, ['amount_paid']);
  t.equal(readSnapshot('invoice.paid', unsaid, '2017-08-15'), null, 'nor what does not say what was paid');
});
