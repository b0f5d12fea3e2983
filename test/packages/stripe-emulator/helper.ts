import Stripe from 'stripe';
import type { Test } from 'tap';
import { startStripeEmulator } from '../../../packages/stripe-emulator/src/start-stripe-emulator.ts';
import { createEmulatorStore } from '../../../src/start/development-packages.ts';

export const SILENT_LOG = { info() {}, warn() {}, error() {} };

export const DAY_SECONDS = 86_400;

/** In a month of 31 days: tests that count days would depend on the length of the current month. */
const START_MS = Date.parse('2026-01-15T12:00:00Z');

/** The clock of an emulator before it is advanced. */
export const getSandboxNow = () => new Date(START_MS + performance.now());

/** Start an emulator with the real SDK and a control client. */
export async function startSandbox(
  t: Test,
  options: { webhookUrl?: string; dataDir?: string; maxNetworkRetries?: number; now?: () => Date } = {},
) {
  const sandbox = await startStripeEmulator({
    webhookUrl: options.webhookUrl ?? null,
    store: options.dataDir ? createEmulatorStore(options.dataDir) : null,
    production: false,
    log: SILENT_LOG,
    now: options.now ?? getSandboxNow,
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await sandbox.close();
    isOpen = false;
  };
  t.teardown(close);
  const stripe = createStripeSdk(sandbox, options.maxNetworkRetries ?? 0);
  return { ...sandbox, close, stripe, control: createControlClient(sandbox) };
}

/** Create the real SDK for an emulator. */
export function createStripeSdk(
  sandbox: { apiBase: string; secretKey: string },
  maxNetworkRetries = 0,
): Stripe {
  const { hostname, port } = new URL(sandbox.apiBase);
  return new Stripe(sandbox.secretKey, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries,
    telemetry: false,
    timeout: 5_000,
  });
}

/**
 * Create a client of the control API: `control('clock', { seconds: 60 })`.
 * @throws Error with the response's message
 */
export function createControlClient(sandbox: { apiBase: string; secretKey: string }) {
  return async <T = Record<string, unknown>>(name: string, body: object = {}): Promise<T> => {
    const answer = await fetch(`${sandbox.apiBase}/sandbox/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.secretKey}` },
      body: JSON.stringify(body),
    });
    const result = await answer.json();
    if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(result)}`);
    return result as T;
  };
}

type ControlClient = ReturnType<typeof createControlClient>;

/** Create a price with a new product. */
export async function createPrice(
  stripe: Stripe,
  amount: number,
  options: { name?: string; interval?: 'month' | 'year'; currency?: string } = {},
): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name: options.name ?? 'Personal' });
  return await stripe.prices.create({
    product: product.id,
    currency: options.currency ?? 'eur',
    unit_amount: amount,
    recurring: { interval: options.interval ?? 'month' },
  });
}

/** Create a customer who bought a price on the page. */
export async function buySubscription(
  stripe: Stripe,
  control: ControlClient,
  price: string,
  options: { trialDays?: number; email?: string } = {},
) {
  const customer = await stripe.customers.create({ email: options.email ?? 'ada@example.org' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://qr.example.org/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://qr.example.org/back',
    ...(options.trialDays ? { subscription_data: { trial_period_days: options.trialDays } } : {}),
  });
  await control('checkout', { session: session.id, card: 'pays' });
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  return { customer: customer.id, subscription: String(subscription), session: session.id };
}

/** Get the SDK's error; null for a success. */
export async function captureStripeError(call: Promise<unknown>) {
  try {
    await call;
    return null;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, statusCode: status, code, param } = error;
    return { type, status, code, param };
  }
}
