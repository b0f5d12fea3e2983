import type {
  PaymentWebhookEvent,
  ProviderInvoice,
  ProviderSubscription,
} from '../../../../src/providers/payments/payments.port.ts';

export const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** Create the changes of an in-memory provider, each with its event. */
export function createFakeLifecycles(state: {
  subscriptions: Map<string, ProviderSubscription>;
  invoices: Map<string, ProviderInvoice>;
}) {
  const events: PaymentWebhookEvent[] = [];
  // In the past, as events are, and recent: reconciliation leaves old invoices out.
  const clock = { now: Math.floor((Date.now() - MONTH_MS / 2) / 1000) * 1000 };
  let made = 0;
  const next = (kind: string) => `${kind}_${String(++made).padStart(6, '0')}`;

  function emitEvent(
    kind: string,
    subject: PaymentWebhookEvent['subject'],
    closure: PaymentWebhookEvent['closure'] = null,
  ) {
    const createdAt = new Date(Math.floor(clock.now / 1000) * 1000);
    const event: PaymentWebhookEvent = { id: next('evt'), kind, createdAt, subject, closure };
    events.push(event);
    return event;
  }

  return {
    events,
    clock,
    next,
    emitEvent: emitEvent,
    newSubscription(customerId: string, priceId: string, overrides: Partial<ProviderSubscription> = {}) {
      const startedAt = new Date(clock.now);
      const one: ProviderSubscription = {
        object: 'SUBSCRIPTION',
        id: next('sub'),
        customerId,
        priceId,
        interval: 'month',
        currency: 'EUR',
        state: 'INCOMPLETE',
        startedAt,
        currentPeriodStart: startedAt,
        currentPeriodEnd: new Date(clock.now + MONTH_MS),
        cancelAtPeriodEnd: false,
        trialEndsAt: null,
        canceledAt: null,
        endedAt: null,
        ...overrides,
      };
      state.subscriptions.set(one.id, one);
      emitEvent('subscription.created', { object: 'SUBSCRIPTION', id: one.id });
      return one;
    },
    change(one: ProviderSubscription, overrides: Partial<ProviderSubscription>) {
      Object.assign(one, overrides);
      if (one.state === 'CANCELED') one.endedAt ??= new Date(clock.now);
      const kind = one.state === 'CANCELED' ? 'subscription.deleted' : 'subscription.updated';
      const { canceledAt, endedAt } = one;
      const closure = one.state === 'CANCELED' && endedAt ? { canceledAt, endedAt } : null;
      return emitEvent(kind, { object: 'SUBSCRIPTION', id: one.id }, closure);
    },
    newInvoice(of: ProviderSubscription, overrides: Partial<ProviderInvoice> = {}) {
      const one: ProviderInvoice = {
        object: 'INVOICE',
        id: next('in'),
        customerId: of.customerId,
        subscriptionId: of.id,
        number: `F-${made}`,
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
        periodStart: of.currentPeriodStart,
        periodEnd: of.currentPeriodEnd,
        issuedAt: new Date(clock.now),
        paidAt: null,
        ...overrides,
      };
      state.invoices.set(one.id, one);
      emitEvent('invoice.created', { object: 'INVOICE', id: one.id });
      return one;
    },
    changeInvoice(one: ProviderInvoice, overrides: Partial<ProviderInvoice>) {
      Object.assign(one, overrides);
      return emitEvent('invoice.updated', { object: 'INVOICE', id: one.id });
    },
  };
}
