import { setTimeout as wait } from 'node:timers/promises';
import { createWebhookSignature, startStripeEmulator } from '@qr-profile-service/stripe-emulator';
import { createStripePaymentProvider } from '../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { createDeadline, measureScansBeside, sendAtRate } from '../load/beside.ts';
import { getQuantile } from '../measure.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { QUIET_LOG } from '../scratch-database.ts';
import { type OwnerWorld, runWithOwner } from '../worlds/owner-world.ts';

const SUBSCRIPTIONS = 20;
/** 10,000 a minute. */
const EVENTS_PER_SECOND = 167;
/** Events come for so many times the seconds of a round. */
const SECONDS_FACTOR = 8;
const POLL_MS = 250;

type Emulator = Awaited<ReturnType<typeof startStripeEmulator>>;

interface WireEvent {
  id: string;
  body: string;
}

/** Compare public scans beside 10,000 events of the payment provider a minute with scans alone. */
export const paymentsBenchmark: OwnBenchmark = {
  world: 'OWN',
  async measure(options) {
    const emulator = await startStripeEmulator({
      webhookUrl: null,
      store: null,
      production: false,
      log: QUIET_LOG,
    });
    const [secret = ''] = emulator.webhookSecrets;
    const environment = {
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: emulator.secretKey,
      STRIPE_API_BASE: emulator.apiBase,
      STRIPE_WEBHOOK_SECRETS: secret,
    };
    return runWithCleanUp(
      () => emulator.close(),
      () =>
        runWithOwner(environment, async (world) => {
          const samples = await createEvents(emulator);
          const times: number[] = [];
          let failed = 0;
          const once = { ...options, rounds: Math.min(options.rounds, 2) };
          const { scans } = await measureScansBeside('payments', once, world, async () => {
            const isOver = createDeadline(options.seconds * SECONDS_FACTOR * 1_000);
            const flood = await sendAtRate(EVENTS_PER_SECOND, isOver, async (index) => {
              if (!(await sendEvent(world, secret, samples, index))) failed += 1;
            });
            times.push(getQuantile(flood, 0.99));
          });
          const named = { row: 'payments', measure: 'p99 of events', unit: 'ms', failed };
          return [scans, { ...named, service: times, baseline: [], ratioGoal: null }];
        }),
    );
  },
};

/** Returns whether it was accepted. */
async function sendEvent(
  { base }: OwnerWorld,
  secret: string,
  samples: readonly WireEvent[],
  index: number,
): Promise<boolean> {
  const sample = samples[index % samples.length];
  if (!sample) throw new Error('There is no event to repeat.');
  const body = sample.body.replace(sample.id, `evt_${generateId()}`);
  const signature = createWebhookSignature(body, secret, Math.floor(Date.now() / 1000));
  const response = await fetch(`${base}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
    body,
  });
  await response.arrayBuffer();
  return response.status === 200;
}

/** Buy subscriptions of users that the service does not know, and return the events of the provider. */
async function createEvents(emulator: Emulator): Promise<WireEvent[]> {
  const provider = createStripePaymentProvider({ ...emulator });
  const headers = { Authorization: `Bearer ${emulator.secretKey}` };
  const priceId = await provider.ensurePrice({
    packageId: generateId(),
    code: 'PERSONAL',
    version: 1,
    name: 'Personal',
    interval: 'month',
    currency: 'EUR',
    amount: 300,
  });
  for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
    const userId = generateId();
    const user = { userId, email: `${userId}@example.org`, language: 'en' };
    const customerId = await provider.createCustomer(user, `customer:${userId}`);
    const page = await provider.openCheckout(
      {
        customerId,
        priceId,
        userId,
        language: 'en',
        successUrl: 'https://qr.example.org/done',
        cancelUrl: 'https://qr.example.org/back',
        expiresAt: new Date(Date.now() + 7_200_000),
      },
      `checkout:${userId}`,
    );
    const body = JSON.stringify({ session: page.id, card: 'pays' });
    await (
      await fetch(`${emulator.apiBase}/sandbox/checkout`, { method: 'POST', headers, body })
    ).arrayBuffer();
  }
  for (;;) {
    const response = await fetch(`${emulator.apiBase}/v1/events?limit=100`, { headers });
    const { data } = (await response.json()) as { data: { id: string }[] };
    if (data.length >= SUBSCRIPTIONS)
      return data.map((event) => ({ id: event.id, body: JSON.stringify(event) }));
    await wait(POLL_MS);
  }
}
