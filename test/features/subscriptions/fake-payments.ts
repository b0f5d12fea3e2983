import {
  type Checkout,
  type Offer,
  type Order,
  type PaidSubscription,
  PaymentError,
  type PaymentProvider,
} from '../../../src/providers/payments/payments.port.ts';

const DAY = 86_400_000;

/** A payment provider in memory, whose answers can be lost and which can be away. */
export function createFakePayments(name = 'fake') {
  const customers = new Map<string, { userId: string; email: string; isDeleted: boolean }>();
  const prices = new Map<string, { id: string; offer: Offer }>();
  const pages = new Map<string, Checkout & { order: Order }>();
  const subscriptions = new Map<string, PaidSubscription>();
  const kept = new Map<string, unknown>();
  const calls: string[] = [];
  const state = { isAway: false, loses: 0, losesOf: '', declines: false };
  let count = 0;

  /** A call: noted, refused while the provider is away, with its answer lost where that is to be tried. */
  async function call<Answer>(what: string, key: string | null, work: () => Answer): Promise<Answer> {
    calls.push(what);
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (state.isAway) throw new PaymentError('UNAVAILABLE', 'AWAY', 7);
    const answer = key !== null && kept.has(key) ? (kept.get(key) as Answer) : work();
    if (key !== null) kept.set(key, answer);
    if (state.loses > 0 || state.losesOf === what) {
      state.loses = Math.max(0, state.loses - 1);
      state.losesOf = '';
      throw new PaymentError('UNAVAILABLE', 'TIMEOUT');
    }
    return answer;
  }

  const next = (prefix: string) => {
    count += 1;
    return `${prefix}_${count}`;
  };
  const offerOf = (priceId: string) => [...prices.values()].find(({ id }) => id === priceId)?.offer;

  function held(id: string): PaidSubscription {
    const found = subscriptions.get(id);
    if (!found) throw new PaymentError('ABSENT', 'NONE');
    return found;
  }

  function change(id: string, changes: Partial<PaidSubscription>): PaidSubscription {
    const changed = { ...held(id), ...changes };
    subscriptions.set(id, changed);
    return changed;
  }

  function end(id: string): PaidSubscription {
    if (held(id).state === 'CANCELED') return held(id);
    const now = new Date();
    return change(id, { state: 'CANCELED', endedAt: now, canceledAt: now });
  }

  const provider: PaymentProvider = {
    name,
    signatureHeader: 'fake-signature',
    isSandbox: true,
    createCustomer: ({ userId, email }, key) =>
      call('createCustomer', key, () => {
        const id = next('cus');
        customers.set(id, { userId, email, isDeleted: false });
        return id;
      }),
    deleteCustomer: (id) =>
      call('deleteCustomer', null, () => {
        const customer = customers.get(id);
        if (customer) customer.isDeleted = true;
        for (const one of subscriptions.values()) if (one.customerId === id) end(one.id);
      }),
    ensurePrice: (offer) =>
      call('ensurePrice', null, () => {
        const { packageId, version, interval, currency } = offer;
        const key = [packageId, version, interval, currency].join(':');
        const known = prices.get(key) ?? { id: next('price'), offer };
        prices.set(key, known);
        return known.id;
      }),
    openCheckout: (order, key) =>
      call('openCheckout', key, () => {
        const id = next('cs');
        const page = {
          id,
          state: 'OPEN' as const,
          url: `https://pay.example/${id}`,
          subscriptionId: null,
          order,
        };
        pages.set(id, page);
        return page;
      }),
    findCheckout: (id) => call('findCheckout', null, () => pages.get(id) ?? null),
    expireCheckout: (id) =>
      call('expireCheckout', null, () => {
        const page = pages.get(id);
        if (page?.state === 'OPEN') pages.set(id, { ...page, state: 'EXPIRED', url: null });
      }),
    findSubscription: (id) => call('findSubscription', null, () => subscriptions.get(id) ?? null),
    cancelSubscription: (id, when) =>
      call('cancelSubscription', null, () =>
        when === 'NOW' ? end(id) : change(id, { cancelAtPeriodEnd: true }),
      ),
    keepSubscription: (id) => call('keepSubscription', null, () => change(id, { cancelAtPeriodEnd: false })),
    previewChange: (id, priceId, at) =>
      call('previewChange', null, () => {
        const from = offerOf(held(id).priceId);
        const to = offerOf(priceId);
        const { currentPeriodEnd } = held(id);
        const left = ((currentPeriodEnd?.getTime() ?? 0) - at.getTime()) / (30 * DAY);
        const dueNow = Math.round(((to?.amount ?? 0) - (from?.amount ?? 0)) * left);
        return { currency: held(id).currency, dueNow, perPeriod: to?.amount ?? 0, currentPeriodEnd };
      }),
    changeSubscription: (id, priceId, _at, key) =>
      call('changeSubscription', key, () =>
        state.declines ? held(id) : change(id, { priceId, interval: offerOf(priceId)?.interval ?? 'month' }),
      ),
    openPortal: (customerId, returnUrl) =>
      call('openPortal', null, () => `https://pay.example/portal/${customerId}?back=${returnUrl}`),
    findInvoiceOfCharge: () => call('findInvoiceOfCharge', null, () => null),
    findInvoice: () => call('findInvoice', null, () => null),
    invoicePage: (id) =>
      call('invoicePage', null, () => (id === 'in_none' ? null : `https://pay.example/${id}`)),
    async *listSubscriptions() {
      yield* subscriptions.values();
    },
    async *listInvoices() {},
    readEvent() {
      throw new PaymentError('SIGNATURE', 'NONE');
    },
  };

  /** Pays on a page, as its person does. Answers the subscription. */
  function pay(pageId: string): PaidSubscription {
    const page = pages.get(pageId);
    if (page?.state !== 'OPEN') throw new Error(`The page ${pageId} is not open.`);
    const { customerId, priceId } = page.order;
    const offer = offerOf(priceId);
    const id = next('sub');
    pages.set(pageId, { ...page, state: 'COMPLETED', url: null, subscriptionId: id });
    const startedAt = new Date();
    const subscription: PaidSubscription = {
      ...{ object: 'SUBSCRIPTION', id, customerId, priceId, state: 'ACTIVE', cancelAtPeriodEnd: false },
      interval: offer?.interval ?? 'month',
      currency: offer?.currency ?? 'EUR',
      currentPeriodStart: startedAt,
      currentPeriodEnd: new Date(startedAt.getTime() + 30 * DAY),
      ...{ trialEndsAt: null, canceledAt: null, endedAt: null, startedAt },
    };
    subscriptions.set(id, subscription);
    return subscription;
  }

  /** Has the next answer to such a call be lost, after its effect. */
  function loseAnswerOf(what: string): void {
    state.losesOf = what;
  }

  return { loseAnswerOf, provider, customers, prices, pages, subscriptions, calls, state, pay };
}
