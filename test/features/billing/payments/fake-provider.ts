import {
  type CheckoutOrder,
  type PackageOffer,
  PaymentError,
  type PaymentProvider,
  type ProviderCheckout,
  type ProviderInvoice,
  type ProviderSubscription,
} from '../../../../src/providers/payments/payments.port.ts';
import { createFakeCalls } from './fake-calls.ts';
import { createFakeLifecycles, MONTH_MS } from './fake-lifecycles.ts';

export const FAKE_SIGNATURE = 'signed by the fake provider';

/** Create an in-memory provider with objects, events and injected failures. */
export function createFakeProvider(name = 'fake') {
  const customers = new Map<string, { userId: string; email: string; isDeleted: boolean }>();
  const prices = new Map<string, { id: string; offer: PackageOffer; isRetired: boolean }>();
  const pages = new Map<string, ProviderCheckout & { order?: CheckoutOrder }>();
  const subscriptions = new Map<string, ProviderSubscription>();
  const invoices = new Map<string, ProviderInvoice>();
  /** Charge to invoice. */
  const charges = new Map<string, string>();
  const settings = { declines: false };
  const { call, ...calls } = createFakeCalls();
  const { next, ...lives } = createFakeLifecycles({ subscriptions, invoices });

  const offerOf = (priceId: string) => [...prices.values()].find(({ id }) => id === priceId)?.offer;
  const request = <Answer>(what: string, work: () => Answer) => call(what, '', null, work);

  function requireSubscription(id: string): ProviderSubscription {
    const found = subscriptions.get(id);
    if (!found) throw new PaymentError('ABSENT', 'NONE');
    return found;
  }

  function end(id: string): ProviderSubscription {
    const now = new Date();
    const one = requireSubscription(id);
    return one.state === 'CANCELED'
      ? one
      : Object.assign(one, { state: 'CANCELED', endedAt: now, canceledAt: now });
  }

  function assertNotGone({ customerId, priceId }: CheckoutOrder): void {
    if (customers.get(customerId)?.isDeleted !== false) throw new PaymentError('ABSENT', 'RESOURCE_MISSING');
    assertPriceNotRetired(priceId);
  }

  function assertPriceNotRetired(priceId: string): void {
    const price = [...prices.values()].find(({ id }) => id === priceId);
    if (price?.isRetired !== false) throw new PaymentError('REFUSED', 'INVALID_REQUEST');
  }

  const provider: PaymentProvider = {
    name,
    webhook: name,
    testModeProviders: [],
    signatureHeader: 'fake-signature',
    createCustomer: ({ userId, email }, key) =>
      call('createCustomer', '', key, () => {
        const id = next('cus');
        customers.set(id, { userId, email, isDeleted: false });
        return id;
      }),
    hasCustomer: (id) => request('hasCustomer', () => customers.get(id)?.isDeleted === false),
    deleteCustomer: (id) =>
      request('deleteCustomer', () => {
        const customer = customers.get(id);
        if (customer) customer.isDeleted = true;
        for (const one of subscriptions.values()) if (one.customerId === id) end(one.id);
      }),
    ensurePrice: (offer) =>
      request('ensurePrice', () => {
        const { packageId, version, interval, currency } = offer;
        const key = [packageId, version, interval, currency].join(':');
        const known = prices.get(key);
        if (known && !known.isRetired) return known.id;
        // Earlier purchases continue.
        if (known) prices.set(known.id, known);
        const id = next('price');
        prices.set(key, { id, offer, isRetired: false });
        return id;
      }),
    openCheckout: (order, key) =>
      // Another order under the same key is another session.
      call('openCheckout', '', `${key}:${order.customerId}:${order.priceId}`, () => {
        assertNotGone(order);
        const id = next('cs');
        const url = `https://pay.example/${id}`;
        const page = { id, state: 'OPEN' as const, url, subscriptionId: null, order };
        pages.set(id, page);
        return page;
      }),
    findCheckout: (id) => call('findCheckout', id, null, () => pages.get(id) ?? null),
    expireCheckout: (id) =>
      request('expireCheckout', () => {
        const page = pages.get(id);
        if (page?.state === 'OPEN') Object.assign(page, { state: 'EXPIRED', url: null });
      }),
    findSubscription: (id) => call('findSubscription', id, null, () => subscriptions.get(id) ?? null),
    cancelSubscription: (id, when) =>
      request('cancelSubscription', () =>
        when === 'NOW' ? end(id) : Object.assign(requireSubscription(id), { cancelAtPeriodEnd: true }),
      ),
    undoCancellation: (id) =>
      request('undoCancellation', () => Object.assign(requireSubscription(id), { cancelAtPeriodEnd: false })),
    previewChange: (id, priceId, at) =>
      request('previewChange', () => {
        assertPriceNotRetired(priceId);
        const [from, to] = [offerOf(requireSubscription(id).priceId), offerOf(priceId)];
        const { currency, currentPeriodEnd } = requireSubscription(id);
        const left = ((currentPeriodEnd?.getTime() ?? 0) - at.getTime()) / MONTH_MS;
        const dueNow = Math.round(((to?.amount ?? 0) - (from?.amount ?? 0)) * left);
        return { currency, dueNow, perPeriod: to?.amount ?? 0, currentPeriodEnd };
      }),
    changeSubscription: (id, priceId, _at, key) =>
      call('changeSubscription', '', key, () => {
        assertPriceNotRetired(priceId);
        const interval = offerOf(priceId)?.interval ?? 'month';
        return settings.declines
          ? requireSubscription(id)
          : Object.assign(requireSubscription(id), { priceId, interval });
      }),
    openPortal: (customerId, returnUrl) =>
      request('openPortal', () => {
        if (customers.get(customerId)?.isDeleted) throw new PaymentError('ABSENT', 'RESOURCE_MISSING');
        return `https://pay.example/portal/${customerId}?back=${returnUrl}`;
      }),
    findInvoice: (id) => call('findInvoice', id, null, () => invoices.get(id) ?? null),
    findInvoiceOfCharge: (id) => call('findInvoiceOfCharge', id, null, () => charges.get(id) ?? null),
    findInvoiceUrl: (id) =>
      request('findInvoiceUrl', () => (id === 'in_none' ? null : `https://pay.example/${id}`)),
    async *listSubscriptions() {
      for (const one of [...subscriptions.values()]) yield structuredClone(one);
    },
    async *listInvoices(since) {
      for (const one of [...invoices.values()]) if (one.issuedAt >= since) yield structuredClone(one);
    },
    readEvent(body, signature) {
      if (signature !== FAKE_SIGNATURE) throw new PaymentError('SIGNATURE', 'WRONG');
      const event = JSON.parse(body.toString('utf8'));
      return { ...event, createdAt: new Date(event.createdAt) };
    },
  };

  /** Pay a session and return the subscription. */
  function pay(pageId: string): ProviderSubscription {
    const page = pages.get(pageId);
    if (page?.state !== 'OPEN' || !page.order) throw new Error(`The page ${pageId} is not open.`);
    const { customerId, priceId } = page.order;
    const { interval = 'month', currency = 'EUR' } = offerOf(priceId) ?? {};
    const bought = lives.newSubscription(customerId, priceId, {
      interval,
      currency,
      state: 'ACTIVE',
      startedAt: new Date(),
      currentPeriodStart: new Date(),
      currentPeriodEnd: new Date(Date.now() + MONTH_MS),
    });
    Object.assign(page, { state: 'COMPLETED', url: null, subscriptionId: bought.id });
    return bought;
  }

  return {
    provider,
    customers,
    prices,
    pages,
    subscriptions,
    invoices,
    charges,
    settings,
    pay,
    ...calls,
    ...lives,
  };
}

export type FakeProvider = ReturnType<typeof createFakeProvider>;
