import { createWebhookSignature, startStripeEmulator } from '@qr-profile-service/stripe-emulator';
import { createStripePaymentProvider } from '../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { DAY_SECONDS } from '../../src/shared/durations.ts';
import { generateId } from '../../src/shared/ids.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { performRandomActions } from './random-actions.ts';
import { createSandboxClient } from './sandbox-client.ts';

export interface WireEvent {
  id: string;
  type: string;
  body: string;
}

export interface Buyer {
  userId: string;
  customerId: string;
  subscriptionId: string | null;
}

export interface ShopPrices {
  small: string;
  large: string;
}

export interface OfferedPackage {
  id: string;
  code: string;
}

export async function createShop() {
  const sandbox = await startStripeEmulator({
    ...{ webhookUrl: null, store: null, production: false },
    log: { warn() {}, error: (details, message) => console.error(message, details) },
  });
  const [secret = ''] = sandbox.webhookSecrets;
  const provider = createStripePaymentProvider({ ...sandbox });
  const seenEventIds = new Set<string>();
  let clockOffset = 0;

  const { control, ask } = createSandboxClient(sandbox);

  return {
    environment: {
      ...{ BILLING: 'stripe', STRIPE_SECRET_KEY: sandbox.secretKey, STRIPE_API_BASE: sandbox.apiBase },
      STRIPE_WEBHOOK_SECRETS: secret,
    },
    provider,
    sign: (body: string) => createWebhookSignature(body, secret, Math.floor(Date.now() / 1000)),

    async prices(packages: { small: OfferedPackage; large: OfferedPackage }): Promise<ShopPrices> {
      const priceOf = ({ id, code }: OfferedPackage, amount: number) =>
        provider.ensurePrice({
          ...{ packageId: id, code, version: 1, name: code, interval: 'month', currency: 'EUR', amount },
        });
      return { small: await priceOf(packages.small, 300), large: await priceOf(packages.large, 600) };
    },

    async buyers(number: number): Promise<Buyer[]> {
      const buyers = Array.from({ length: number }, () => ({
        userId: generateId(),
        customerId: '',
        subscriptionId: null,
      }));
      await forEachConcurrently(buyers, async (buyer) => {
        const { userId } = buyer;
        const customer = { userId, email: `${userId}@example.org`, language: 'en' };
        buyer.customerId = await provider.createCustomer(customer, `customer:${userId}`);
      });
      return buyers;
    },

    buy: (buyers: readonly Buyer[], prices: ShopPrices) =>
      forEachConcurrently(buyers, (buyer) => buyOne(buyer, prices.small)),

    /** Perform actions for every buyer and advance the clock by half a period. */
    async simulateRound(buyers: readonly Buyer[], prices: ShopPrices): Promise<void> {
      await forEachConcurrently(buyers, (buyer) => act(buyer, prices));
      await control('clock', { seconds: 16 * DAY_SECONDS });
      clockOffset += 16 * DAY_SECONDS;
    },

    /** Return the events since the last call, in order. */
    async events(): Promise<WireEvent[]> {
      const newEvents: WireEvent[] = [];
      for (let after: string | undefined, isLast = false; !isLast; ) {
        const page = await ask('GET', 'events', {
          limit: '100',
          ...(after ? { starting_after: after } : {}),
        });
        for (const event of page.data) {
          isLast ||= seenEventIds.has(event.id);
          if (!isLast)
            newEvents.push({ id: event.id, type: event.type, body: JSON.stringify(event, null, 2) });
        }
        isLast ||= !page.has_more;
        after = page.data.at(-1)?.id;
      }
      for (const { id } of newEvents) seenEventIds.add(id);
      return newEvents.reverse();
    },
    close: () => sandbox.close(),
  };

  async function act(buyer: Buyer, prices: ShopPrices): Promise<void> {
    const now = buyer.subscriptionId ? await provider.findSubscription(buyer.subscriptionId) : null;
    if (now && now.state !== 'CANCELED') return performRandomActions({ provider, control, ask }, now, prices);
    if (Math.random() < 0.5) await buyOne(buyer, prices.small);
  }

  async function buyOne(buyer: Buyer, priceId: string): Promise<void> {
    const page = await provider.openCheckout(
      {
        ...{ customerId: buyer.customerId, priceId, userId: buyer.userId, language: 'en' },
        successUrl: 'https://qr.example.org/done',
        cancelUrl: 'https://qr.example.org/back',
        expiresAt: new Date(Date.now() + (clockOffset + DAY_SECONDS / 12) * 1000),
      },
      `checkout:${generateId()}`,
    );
    if (Math.random() < 0.2) await control('checkout', { session: page.id, card: 'declines' });
    const card = Math.random() < 0.2 ? { card: 'confirms', confirmed: true } : { card: 'pays' };
    await control('checkout', { session: page.id, ...card });
    buyer.subscriptionId = (await provider.findCheckout(page.id))?.subscriptionId ?? null;
  }
}

export type Shop = Awaited<ReturnType<typeof createShop>>;
