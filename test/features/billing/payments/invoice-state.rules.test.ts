import {
  applyRemoteInvoice,
  type InvoiceFields,
  type RemoteInvoice,
} from '../../../../src/features/billing/payments/invoice-state.rules.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

const AT = new Date('2026-11-01T00:00:00Z');

function createRemoteInvoice(overrides: Partial<RemoteInvoice> = {}): RemoteInvoice {
  return {
    id: 'in_1',
    subscriptionId: 'sub_1',
    number: 'F-1',
    state: 'OPEN',
    currency: 'EUR',
    total: 300,
    amountPaid: 0,
    amountRefunded: 0,
    isDisputed: false,
    isDisputeLost: false,
    attempts: 0,
    needsAction: false,
    nextAttemptAt: null,
    periodStart: AT,
    periodEnd: AT,
    issuedAt: AT,
    paidAt: null,
    ...overrides,
  };
}

function applyAll(states: readonly RemoteInvoice[]) {
  let facts: InvoiceFields | null = null;
  const notifications: string[] = [];
  for (const one of states) {
    const applied = applyRemoteInvoice(facts, one);
    facts = applied.facts;
    for (const { key, amount } of applied.notifications) {
      const notification = `${key.replace('invoice:in_1:', '')} ${amount}`;
      if (!notifications.includes(notification)) notifications.push(notification);
    }
  }
  return { facts, notifications };
}

const PAID = { state: 'PAID', amountPaid: 300, paidAt: AT, attempts: 1 };
const listNotificationEvents = (...overrides: Partial<RemoteInvoice>[]) =>
  applyAll(overrides.map(createRemoteInvoice)).notifications;

t.test('notifies about the state of an invoice at the time of the sync', async (t) => {
  t.same(listNotificationEvents({ state: 'DRAFT' }), []);
  t.equal(applyAll([createRemoteInvoice({ state: 'DRAFT' })]).facts, null, 'a draft has no row');
  t.same(listNotificationEvents({}, PAID, PAID), ['paid 300']);
  t.same(listNotificationEvents({ state: 'PAID', total: 0, paidAt: AT }), [], 'nothing paid is no receipt');
  t.same(listNotificationEvents({ attempts: 1 }, { attempts: 1 }, { attempts: 2 }), [
    'failed:1 300',
    'failed:2 300',
  ]);
  t.same(
    listNotificationEvents({ attempts: 3 }),
    ['failed:3 300'],
    'failures that were not seen are not told one by one',
  );
  t.same(listNotificationEvents({ ...PAID, attempts: 3 }), ['paid 300'], 'nor those of what is paid now');
  t.same(listNotificationEvents({ attempts: 1, needsAction: true }, PAID), ['action 300', 'paid 300']);
  t.same(listNotificationEvents(PAID, { ...PAID, amountRefunded: 100 }, { ...PAID, amountRefunded: 300 }), [
    ...['paid 300', 'refunded:100 100', 'refunded:300 300'],
  ]);
  t.same(
    listNotificationEvents({ ...PAID, amountRefunded: 300 }),
    ['refunded:300 300'],
    'given back when it is first seen',
  );
  t.same(listNotificationEvents(PAID, { ...PAID, isDisputed: true }, PAID, { ...PAID, isDisputed: true }), [
    ...['paid 300', 'disputed 300'],
  ]);
  t.same(listNotificationEvents({ state: 'VOID', attempts: 2 }), []);
});

t.test('no more counts as refunded than was paid', async (t) => {
  const facts = applyAll([createRemoteInvoice({ ...PAID, amountPaid: 300, amountRefunded: 600 })]).facts;
  t.match(facts, { amountPaid: 300, amountRefunded: 300 });
});

t.test('the latest state wins, and a repeated state notifies nobody', async () => {
  const states = fc
    .record({
      state: fc.constantFrom('OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE'),
      attempts: fc.nat(4),
      needsAction: fc.boolean(),
      amountPaid: fc.constantFrom(0, 300),
      amountRefunded: fc.constantFrom(0, 100, 300),
      isDisputed: fc.boolean(),
    })
    .map(createRemoteInvoice);
  fc.assert(
    fc.property(fc.array(states, { maxLength: 10 }), states, (before, last) => {
      const once = applyAll([...before, last]);
      t.same(once.facts, applyAll([last]).facts);
      t.same(applyAll([...before, last, last, last]).notifications, once.notifications);
    }),
  );
});
