import type Stripe from 'stripe';
import type { PaymentError } from '../../../src/providers/payments/payments.port.ts';
import {
  mergeInvoicePaymentSummaries,
  toInvoicePaymentSummary,
} from '../../../src/providers/payments/stripe/payment-summary.ts';
import {
  fromStripeAmount,
  toStripeAmount,
  toStripeLocale,
} from '../../../src/providers/payments/stripe/stripe-values.ts';
import {
  EMPTY_INVOICE_PAYMENT_SUMMARY,
  toProviderInvoice,
} from '../../../src/providers/payments/stripe/to-provider-invoice.ts';
import { toProviderSubscription } from '../../../src/providers/payments/stripe/to-provider-subscription.ts';
import { SUBSCRIPTION_STATES } from '../../../src/shared/subscription-state.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';
import {
  createExampleInvoice,
  createExampleInvoiceLine,
  createExamplePayment,
  createExamplePrice,
  createExampleSubscription,
  PERIOD_END,
  PERIOD_START,
} from './examples.ts';

const at = (seconds: number) => new Date(seconds * 1000);

t.test('converts a subscription with the period of its item', async (t) => {
  t.same(
    toProviderSubscription(
      createExampleSubscription({
        trial_end: PERIOD_START + 9,
        customer: { id: 'cus_2' } as Stripe.Customer,
      }),
    ),
    {
      object: 'SUBSCRIPTION',
      id: 'sub_1',
      customerId: 'cus_2',
      priceId: 'price_month',
      interval: 'month',
      currency: 'EUR',
      state: 'ACTIVE',
      currentPeriodStart: at(PERIOD_START),
      currentPeriodEnd: at(PERIOD_END),
      cancelAtPeriodEnd: false,
      trialEndsAt: at(PERIOD_START + 9),
      canceledAt: null,
      endedAt: null,
      startedAt: at(PERIOD_START),
    },
  );
});

t.test('maps each status and rejects unknown ones', async (t) => {
  const states = {
    incomplete: 'INCOMPLETE',
    incomplete_expired: 'CANCELED',
    trialing: 'TRIALING',
    active: 'ACTIVE',
    past_due: 'PAST_DUE',
    unpaid: 'UNPAID',
    paused: 'PAUSED',
    canceled: 'CANCELED',
  };
  const paused = { behavior: 'void', resumes_at: null } as const;
  for (const [status, state] of Object.entries(states)) {
    t.equal(toProviderSubscription(createExampleSubscription({ status }))?.state, state, status);
    const pausable = ['TRIALING', 'ACTIVE', 'PAST_DUE'].includes(state);
    const subscription = toProviderSubscription(
      createExampleSubscription({ status, pause_collection: paused }),
    );
    t.equal(subscription?.state, pausable ? 'PAUSED' : state, `${status}, nothing collected`);
  }
  for (const status of ['a new one', 'constructor', ''])
    t.throws(
      () => toProviderSubscription(createExampleSubscription({ status })),
      { failure: 'REFUSED' } as PaymentError,
      status,
    );
});

t.test('an ended subscription has the best available end time', async (t) => {
  const ended = (change: Partial<Stripe.Subscription>) =>
    toProviderSubscription(createExampleSubscription({ status: 'canceled', ...change }))?.endedAt;
  t.same(ended({ ended_at: 3, canceled_at: 2, created: 1 }), at(3));
  t.same(ended({ canceled_at: 2, created: 1 }), at(2));
  t.same(ended({ created: 1 }), at(1));
  const subscription = toProviderSubscription(
    createExampleSubscription({ cancel_at_period_end: true, canceled_at: PERIOD_START + 1 }),
  );
  t.match(subscription, { state: 'ACTIVE', endedAt: null, cancelAtPeriodEnd: true });
  t.same(subscription?.canceledAt, at(PERIOD_START + 1));
});

t.test('detects a cancellation at the period end by its time', async (t) => {
  const ends = (cancel_at: number | null) =>
    toProviderSubscription(createExampleSubscription({ cancel_at }))?.cancelAtPeriodEnd;
  t.equal(ends(PERIOD_END), true);
  t.equal(ends(PERIOD_END - 1), true);
  t.equal(ends(PERIOD_END + 1), false, 'after the next period');
  t.equal(ends(null), false);
  const canceledImmediately = {
    status: 'canceled',
    cancel_at: PERIOD_END,
    ended_at: PERIOD_START + 1,
  } as const;
  t.equal(toProviderSubscription(createExampleSubscription(canceledImmediately))?.cancelAtPeriodEnd, false);
  const withIt = { status: 'canceled', cancel_at: PERIOD_END, ended_at: PERIOD_END } as const;
  t.equal(toProviderSubscription(createExampleSubscription(withIt))?.cancelAtPeriodEnd, true);
});

t.test('returns null for unsupported subscriptions', async (t) => {
  const { recurring } = createExamplePrice();
  const of = (price: Stripe.Price) => toProviderSubscription(createExampleSubscription({}, { price }));
  t.equal(
    of(createExamplePrice({ recurring: { ...recurring, interval: 'year' } as typeof recurring }))?.interval,
    'year',
  );
  t.equal(
    of(createExamplePrice({ recurring: { ...recurring, interval: 'week' } as typeof recurring })),
    null,
  );
  t.equal(
    of(createExamplePrice({ recurring: { ...recurring, interval_count: 3 } as typeof recurring })),
    null,
  );
  t.equal(of(createExamplePrice({ recurring: null })), null);
  t.equal(
    toProviderSubscription(
      createExampleSubscription({ items: { ...createExampleSubscription().items, data: [] } }),
    ),
    null,
  );
});

t.test('every converted subscription satisfies the table constraints', async () => {
  const moment = fc.integer({ min: 0, max: 4_000_000_000 });
  const moments = fc.record({
    canceled_at: fc.option(moment),
    ended_at: fc.option(moment),
    cancel_at: fc.option(moment),
    trial_end: fc.option(moment),
    created: moment,
    start_date: moment,
    cancel_at_period_end: fc.boolean(),
    status: fc.constantFrom(
      ...[
        'incomplete',
        'incomplete_expired',
        'trialing',
        'active',
        'past_due',
        'unpaid',
        'paused',
        'canceled',
      ],
    ),
    currency: fc.constantFrom('eur', 'usd', 'jpy', 'kwd'),
    pause_collection: fc.option(fc.constant({ behavior: 'void', resumes_at: null } as const)),
  });
  fc.assert(
    fc.property(
      moments,
      fc.record({ current_period_start: moment, current_period_end: moment }),
      (of, period) => {
        const sold = toProviderSubscription(createExampleSubscription(of, period));
        return (
          sold !== null &&
          SUBSCRIPTION_STATES.includes(sold.state) &&
          (sold.state === 'CANCELED') === (sold.endedAt !== null) &&
          /^[A-Z]{3}$/.test(sold.currency) &&
          sold.currentPeriodEnd?.getTime() === period.current_period_end * 1000 &&
          Number.isFinite(sold.startedAt.getTime())
        );
      },
    ),
  );
});

t.test('converts an invoice with the period of its lines', async (t) => {
  t.same(toProviderInvoice(createExampleInvoice(), EMPTY_INVOICE_PAYMENT_SUMMARY), {
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
    isDisputeLost: false,
    attempts: 1,
    needsAction: false,
    nextAttemptAt: null,
    periodStart: at(PERIOD_START),
    periodEnd: at(PERIOD_END),
    issuedAt: at(PERIOD_START),
    paidAt: at(PERIOD_START + 2),
  });
  const states = { draft: 'DRAFT', open: 'OPEN', paid: 'PAID', void: 'VOID', uncollectible: 'UNCOLLECTIBLE' };
  for (const [status, state] of Object.entries(states))
    t.equal(
      toProviderInvoice(createExampleInvoice({ status }), EMPTY_INVOICE_PAYMENT_SUMMARY)?.state,
      state,
      status,
    );
  t.throws(() => toProviderInvoice(createExampleInvoice({ status: null }), EMPTY_INVOICE_PAYMENT_SUMMARY), {
    failure: 'REFUSED',
  } as PaymentError);
  t.equal(
    toProviderInvoice(createExampleInvoice({ customer: null }), EMPTY_INVOICE_PAYMENT_SUMMARY),
    null,
    'of nobody',
  );
  const alone = toProviderInvoice(createExampleInvoice({ parent: null }), EMPTY_INVOICE_PAYMENT_SUMMARY);
  t.equal(alone?.subscriptionId, null, 'for no subscription');
});

t.test('prefers the period of full lines to that of prorations', async (t) => {
  const periodWith = (...data: Stripe.InvoiceLineItem[]) => {
    const found = toProviderInvoice(
      createExampleInvoice({ lines: { ...createExampleInvoice().lines, data } }),
      EMPTY_INVOICE_PAYMENT_SUMMARY,
    );
    return [found?.periodStart, found?.periodEnd];
  };
  const credit = createExampleInvoiceLine({ start: PERIOD_START + 10, end: PERIOD_END + 50 }, true);
  const part = createExampleInvoiceLine({ start: PERIOD_START + 20, end: PERIOD_END }, true);
  const month = createExampleInvoiceLine({ start: PERIOD_START, end: PERIOD_END });
  t.same(periodWith(credit, month, part), [at(PERIOD_START), at(PERIOD_END)]);
  t.same(periodWith(credit, part), [at(PERIOD_START + 10), at(PERIOD_END + 50)]);
  t.same(periodWith(), [at(PERIOD_START - 86_400), at(PERIOD_START)], 'without lines its own');
});

t.test('summarizes payments of an invoice', async (t) => {
  const refunded = createExamplePayment({ amount_refunded: 120 });
  t.same(toInvoicePaymentSummary(refunded), {
    refunded: 120,
    isDisputed: false,
    isDisputeLost: false,
    needsAction: false,
  });
  const disputed = createExamplePayment({ disputed: true });
  t.same(toInvoicePaymentSummary(disputed), {
    refunded: 0,
    isDisputed: true,
    isDisputeLost: false,
    needsAction: false,
  });
  const waiting = createExamplePayment(null, { status: 'open', intent: 'requires_action' });
  t.same(toInvoicePaymentSummary(waiting), {
    refunded: 0,
    isDisputed: false,
    isDisputeLost: false,
    needsAction: true,
  });
  t.same(
    toInvoicePaymentSummary(
      createExamplePayment(null, { status: 'open', intent: 'requires_payment_method' }),
    ),
    EMPTY_INVOICE_PAYMENT_SUMMARY,
  );
  t.same(
    toInvoicePaymentSummary(createExamplePayment(null, { status: 'canceled', intent: 'requires_action' })),
    EMPTY_INVOICE_PAYMENT_SUMMARY,
  );
  t.same(mergeInvoicePaymentSummaries([refunded, disputed, waiting, refunded].map(toInvoicePaymentSummary)), {
    refunded: 240,
    isDisputed: true,
    isDisputeLost: false,
    needsAction: true,
  });
  t.same(mergeInvoicePaymentSummaries([]), EMPTY_INVOICE_PAYMENT_SUMMARY);
  const outside: Stripe.InvoicePayment.Payment = { type: 'payment_record', payment_record: 'pr_1' };
  t.same(
    toInvoicePaymentSummary({ ...refunded, payment: outside }),
    EMPTY_INVOICE_PAYMENT_SUMMARY,
    'paid outside of Stripe',
  );
  const facts = { refunded: 120, isDisputed: true, isDisputeLost: true, needsAction: true };
  t.match(toProviderInvoice(createExampleInvoice(), facts), {
    amountRefunded: 120,
    isDisputed: true,
    needsAction: false,
  });
  t.match(toProviderInvoice(createExampleInvoice({ status: 'open' }), facts), { needsAction: true });
});

t.test('converts amounts to minor units, also of zero-decimal currencies in hundredths', async (t) => {
  t.equal(fromStripeAmount(300, 'eur'), 300);
  t.equal(fromStripeAmount(300, 'jpy'), 300);
  t.equal(toStripeAmount(15_000, 'MGA'), 15_000);
  t.equal(fromStripeAmount(50_000, 'isk'), 500);
  t.equal(toStripeAmount(500, 'UGX'), 50_000);
  const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KRW', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF', 'MXN');
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), currency, (amount, of) => {
      const there = toStripeAmount(amount, of);
      return Number.isInteger(there) && fromStripeAmount(there, of.toLowerCase()) === amount;
    }),
  );
  const crowns = createExampleInvoice({ currency: 'isk', total: 50_000, amount_paid: 50_000 });
  const facts = { ...EMPTY_INVOICE_PAYMENT_SUMMARY, refunded: 10_000 };
  t.match(toProviderInvoice(crowns, facts), {
    currency: 'ISK',
    total: 500,
    amountPaid: 500,
    amountRefunded: 100,
  });
});

t.test('leaves unsupported languages to the browser', async (t) => {
  t.same(['de', 'pt', 'zh'].map(toStripeLocale), ['de', 'pt', 'zh']);
  t.same(['ar', 'he', 'hi', 'uk', '', 'constructor'].map(toStripeLocale), Array(6).fill('auto'));
});
