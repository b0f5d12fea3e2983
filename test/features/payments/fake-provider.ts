import {
  type Checkout,
  type PaidInvoice,
  type PaidSubscription,
  PaymentError,
  type PaymentEvent,
  type PaymentFailure,
  type PaymentProvider,
} from '../../../src/providers/payments/payments.port.ts';

export const SIGNATURE = 'signed by the fake provider';

const MONTH = 30 * 24 * 60 * 60 * 1000;

/** A provider in memory: it holds objects, tells of each change by an event, and fails when it is told to. */
export function createFakeProvider() {
  const subscriptions = new Map<string, PaidSubscription>();
  const invoices = new Map<string, PaidInvoice>();
  const checkouts = new Map<string, Checkout>();
  /** Charge to invoice. */
  const charges = new Map<string, string>();
  const events: PaymentEvent[] = [];
  const failures: PaymentError[] = [];
  const state = {
    /** Resolves before each answer, after it was made up: what changes meanwhile is not in it. */
    hold: async (_id: string): Promise<void> => {},
    /** Ids that were asked for, in order. */
    asked: [] as string[],
    /** Of its own: seconds, as an event says it. */
    clock: Date.parse('2026-11-01T00:00:00Z'),
  };
  let made = 0;
  const next = (kind: string) => `${kind}_${String(++made).padStart(6, '0')}`;

  function tell(kind: string, subject: PaymentEvent['subject'], copy: PaymentEvent['copy'] = null) {
    const createdAt = new Date(Math.floor(state.clock / 1000) * 1000);
    const event: PaymentEvent = { id: next('evt'), kind, createdAt, subject, copy };
    events.push(event);
    return event;
  }

  async function answer<Found>(id: string, found: Found): Promise<Found> {
    state.asked.push(id);
    const failure = failures.shift();
    if (failure) throw failure;
    const copy = structuredClone(found);
    await state.hold(id);
    return copy;
  }

  const unused = async (): Promise<never> => {
    throw new Error('The pipeline never asks for that.');
  };

  const provider: PaymentProvider = {
    ...{ name: 'fake', signatureHeader: 'fake-signature', isSandbox: true },
    ...{ createCustomer: unused, deleteCustomer: unused, ensurePrice: unused, openCheckout: unused },
    ...{ expireCheckout: unused, cancelSubscription: unused, keepSubscription: unused },
    ...{ previewChange: unused, changeSubscription: unused, openPortal: unused, invoicePage: unused },
    findCheckout: (id) => answer(id, checkouts.get(id) ?? null),
    findSubscription: (id) => answer(id, subscriptions.get(id) ?? null),
    findInvoice: (id) => answer(id, invoices.get(id) ?? null),
    findInvoiceOfCharge: (id) => answer(id, charges.get(id) ?? null),
    async *listSubscriptions() {
      for (const one of [...subscriptions.values()]) yield structuredClone(one);
    },
    async *listInvoices(since) {
      for (const one of [...invoices.values()]) if (one.issuedAt >= since) yield structuredClone(one);
    },
    readEvent(body, signature) {
      if (signature !== SIGNATURE) throw new PaymentError('SIGNATURE', 'WRONG');
      const event = JSON.parse(body.toString('utf8'));
      return { ...event, createdAt: new Date(event.createdAt) };
    },
  };

  return {
    ...{ provider, subscriptions, invoices, checkouts, charges, events, state, tell },
    fail(failure: PaymentFailure, times = 1, retryAfter: number | null = null) {
      for (let time = 0; time < times; time++) failures.push(new PaymentError(failure, failure, retryAfter));
    },
    recover: () => failures.splice(0),
    newSubscription(customerId: string, priceId: string, given: Partial<PaidSubscription> = {}) {
      const startedAt = new Date(state.clock);
      const one: PaidSubscription = {
        ...{ object: 'SUBSCRIPTION', id: next('sub'), customerId, priceId, interval: 'month' },
        ...{ currency: 'EUR', state: 'INCOMPLETE', startedAt, currentPeriodStart: startedAt },
        currentPeriodEnd: new Date(state.clock + MONTH),
        ...{ cancelAtPeriodEnd: false, trialEndsAt: null, canceledAt: null, endedAt: null },
        ...given,
      };
      subscriptions.set(one.id, one);
      tell('subscription.created', { object: 'SUBSCRIPTION', id: one.id }, structuredClone(one));
      return one;
    },
    change(one: PaidSubscription, given: Partial<PaidSubscription>) {
      Object.assign(one, given);
      if (one.state === 'CANCELED') one.endedAt ??= new Date(state.clock);
      const kind = one.state === 'CANCELED' ? 'subscription.deleted' : 'subscription.updated';
      return tell(kind, { object: 'SUBSCRIPTION', id: one.id }, structuredClone(one));
    },
    newInvoice(of: PaidSubscription, given: Partial<PaidInvoice> = {}) {
      const one: PaidInvoice = {
        ...{ object: 'INVOICE', id: next('in'), customerId: of.customerId, subscriptionId: of.id },
        ...{ number: `F-${made}`, state: 'OPEN', currency: 'EUR', total: 300, amountPaid: 0 },
        ...{ amountRefunded: 0, isDisputed: false, attempts: 0, needsAction: false, nextAttemptAt: null },
        ...{ periodStart: of.currentPeriodStart, periodEnd: of.currentPeriodEnd },
        ...{ issuedAt: new Date(state.clock), paidAt: null },
        ...given,
      };
      invoices.set(one.id, one);
      tell('invoice.created', { object: 'INVOICE', id: one.id }, structuredClone(one));
      return one;
    },
    changeInvoice(one: PaidInvoice, given: Partial<PaidInvoice>) {
      Object.assign(one, given);
      return tell('invoice.updated', { object: 'INVOICE', id: one.id }, structuredClone(one));
    },
  };
}

export type FakeProvider = ReturnType<typeof createFakeProvider>;
