import { Account } from '../../../packages/stripe-emulator/src/account.ts';
import {
  CARD_BEHAVIORS,
  type CardBehavior,
  replaceDefaultCard,
} from '../../../packages/stripe-emulator/src/cards.ts';
import { createPrice } from '../../../packages/stripe-emulator/src/catalogue.ts';
import { payCheckout } from '../../../packages/stripe-emulator/src/checkout.ts';
import { advanceClock } from '../../../packages/stripe-emulator/src/clock.ts';
import { createCheckout } from '../../../packages/stripe-emulator/src/create-checkout.ts';
import { createCustomer } from '../../../packages/stripe-emulator/src/customers.ts';
import { createLedger } from '../../../packages/stripe-emulator/src/ledger.ts';
import { createRefund } from '../../../packages/stripe-emulator/src/refunds.ts';
import { StripeFailure } from '../../../packages/stripe-emulator/src/stripe-error.ts';
import { cancelSubscription } from '../../../packages/stripe-emulator/src/subscriptions.ts';
import { updateSubscription } from '../../../packages/stripe-emulator/src/update-subscription.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';
import { DAY_SECONDS } from './helper.ts';

type Ledger = ReturnType<typeof createLedger>;

/** List errors of a ledger. */
function listLedgerErrors({
  customers,
  subscriptions,
  invoices,
  payments,
  charges,
  refunds,
}: Ledger): string[] {
  const wrong: string[] = [];
  const check = (isRight: boolean, what: string) => {
    if (!isRight) wrong.push(what);
  };
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  for (const invoice of invoices) {
    const { id, total, amount_due: due, amount_paid: paid, amount_remaining: left } = invoice;
    check(total === sum(invoice.lines.data.map(({ amount }) => amount)), `${id}: lines`);
    check(due === paid + left, `${id}: due is paid or left`);
    if (invoice.ending_balance !== null)
      check(total + invoice.starting_balance === due + invoice.ending_balance, `${id}: balance`);
    const intents = payments
      .filter((payment) => payment.invoice === id)
      .map(({ payment }) => payment.payment_intent);
    const taken = charges.filter((charge) => charge.paid && intents.includes(charge.payment_intent));
    check(sum(taken.map(({ amount }) => amount)) === paid, `${id}: charged once, and what was due`);
    check(
      (invoice.status === 'paid') === (left === 0 && invoice.status !== 'draft'),
      `${id}: ${invoice.status}`,
    );
    check(
      [left, paid, due].every((amount) => Number.isInteger(amount) && amount >= 0),
      `${id}: whole amounts`,
    );
  }
  for (const charge of charges) {
    const back = sum(refunds.filter((refund) => refund.charge === charge.id).map(({ amount }) => amount));
    check(back === charge.amount_refunded && back <= charge.amount, `${charge.id}: refunds`);
  }
  for (const customer of customers) {
    const theirs = invoices.filter((one) => one.customer === customer.id && one.status !== 'void');
    const moved = theirs.map((one) => (one.ending_balance ?? one.starting_balance) - one.starting_balance);
    check(sum(moved) === customer.balance, `${customer.id}: balance`);
  }
  for (const subscription of subscriptions) {
    const latest = invoices.find(({ id }) => id === subscription.latest_invoice);
    const isSettled = subscription.status === 'active' && subscription.pending_update === null;
    check(!isSettled || latest?.status === 'paid', `${subscription.id}: active unpaid`);
    const starts = invoices
      .filter((one) => one.parent.subscription_details.subscription === subscription.id)
      .flatMap((one) => (one.billing_reason === 'subscription_cycle' ? one.lines.data : []))
      .filter((line) => !line.description.includes('time on'))
      .map(({ period }) => period.start);
    check(new Set(starts).size === starts.length, `${subscription.id}: a period is charged once`);
  }
  return wrong;
}

const step = fc.oneof(
  fc.record({ do: fc.constant('buy' as const), price: fc.nat(3), trial: fc.constantFrom(0, 0, 7) }),
  fc.record({ do: fc.constant('move' as const), days: fc.integer({ min: 0, max: 70 }) }),
  fc.record({ do: fc.constant('card' as const), who: fc.nat(9), card: fc.constantFrom(...CARD_BEHAVIORS) }),
  fc.record({
    do: fc.constant('change' as const),
    who: fc.nat(9),
    price: fc.nat(3),
    quantity: fc.integer({ min: 1, max: 3 }),
    how: fc.constantFrom('always_invoice', 'create_prorations', 'none'),
    behavior: fc.constantFrom('allow_incomplete', 'pending_if_incomplete', 'error_if_incomplete'),
  }),
  fc.record({ do: fc.constant('refund' as const), who: fc.nat(9), part: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ do: fc.constant('cancel' as const), who: fc.nat(9), now: fc.boolean() }),
);

t.test('the ledger is consistent after random operations', async (t) => {
  let invoices = 0;
  const statuses = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), (steps) => {
      const account = new Account('http://127.0.0.1:1', () => Date.UTC(2026, 0, 31, 10));
      const prices = [
        { amount: '501', interval: 'month' },
        { amount: '1299', interval: 'month' },
        { amount: '9999', interval: 'year' },
        { amount: '0', interval: 'month' },
      ].map(({ amount, interval }) =>
        createPrice(account, {
          currency: 'eur',
          unit_amount: amount,
          recurring: { interval },
          product_data: { name: amount },
        }),
      );
      for (const one of steps) {
        try {
          perform(
            account,
            one,
            prices.map(({ id }) => id),
          );
        } catch (error) {
          if (!(error instanceof StripeFailure)) throw error;
        }
      }
      const ledger = createLedger(account);
      invoices += ledger.invoices.length;
      for (const { status, total, starting_balance: balance } of ledger.invoices) {
        statuses.add(status);
        if (total < 0) statuses.add('credit');
        if (balance < 0) statuses.add('credit used');
      }
      const wrong = listLedgerErrors(ledger);
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    }),
    { numRuns: 60 },
  );
  t.ok(invoices > 500, `${invoices} invoices were looked at`);
  t.ok(statuses.size >= 4, [...statuses].join());
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function perform(account: Account, one: Step, prices: readonly string[]): void {
  const pick = <T>(all: readonly T[], index: number): T => {
    const found = all[index % all.length];
    if (!found) throw new StripeFailure(404, { type: 'invalid_request_error', message: 'none yet' });
    return found;
  };
  if (one.do === 'buy') buyOne(account, pick(prices, one.price), one.trial);
  else if (one.do === 'move') advanceClock(account, one.days * DAY_SECONDS);
  else if (one.do === 'card')
    replaceDefaultCard(account, pick(account.list('customer'), one.who), one.card satisfies CardBehavior);
  else if (one.do === 'refund') {
    const charge = pick(account.list('charge'), one.who);
    createRefund(account, { charge: charge.id, amount: String(one.part) });
  } else {
    const { id, items } = pick(account.list('subscription'), one.who);
    if (one.do === 'cancel' && one.now) cancelSubscription(account, id, {});
    else if (one.do === 'cancel') updateSubscription(account, id, { cancel_at_period_end: 'true' });
    else
      updateSubscription(account, id, {
        items: [
          { id: String(items.data[0]?.id), price: pick(prices, one.price), quantity: String(one.quantity) },
        ],
        proration_behavior: one.how,
        payment_behavior: one.behavior,
      });
  }
}

function buyOne(account: Account, price: string, trial: number): void {
  const customer = createCustomer(account, { email: 'ada@example.org' });
  const session = createCheckout(account, {
    mode: 'subscription',
    customer: customer.id,
    success_url: 'https://qr.example.org/',
    line_items: [{ price }],
    ...(trial > 0 ? { subscription_data: { trial_period_days: String(trial) } } : {}),
  });
  payCheckout(account, session, 'pays');
}
