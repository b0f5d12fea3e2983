import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import type { Db } from '../../../../src/platform/database.ts';
import type { PaymentWebhookEvent } from '../../../../src/providers/payments/payments.port.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { createFakeProvider, FAKE_SIGNATURE, type FakeProvider } from './fake-provider.ts';

/** Prices by package code. */
export const PRICE_IDS = { PERSONAL: 'price_personal', FAMILY: 'price_family' };

export interface PaymentsTestContext extends TestApp {
  fake: FakeProvider;
  payer(): Promise<{ userId: string; customerId: string }>;
  post(event: object, signature?: string): Promise<number>;
  deliver(events: readonly PaymentWebhookEvent[]): Promise<void>;
  waitUntilSynced(): Promise<void>;
  /** Rows without their change counters. */
  rows(): Promise<object>;
  /** Keys of a user's notifications. */
  listNotificationKeys(userId: string): Promise<string[]>;
}

export async function startPayments(t: Test): Promise<PaymentsTestContext> {
  const fake = createFakeProvider();
  const test = await startTestApp(t, {}, { payments: fake.provider });
  const { client } = test.database;
  for (const [code, priceId] of Object.entries(PRICE_IDS)) {
    const { id: packageId } = await client.subscriptionPackage.findUniqueOrThrow({ where: { code } });
    const price = { provider: 'fake', priceId, packageId, version: 1, interval: 'month', currency: 'EUR' };
    await client.paymentPrice.create({ data: price });
  }
  // Prevents the daily run during a test.
  await client.paymentReconciliation.create({ data: { provider: 'fake', startedAt: new Date() } });
  const post = async (event: object, signature = FAKE_SIGNATURE) => {
    const headers = { 'fake-signature': signature };
    return (await test.call('POST', '/api/webhooks/fake', { body: event, headers })).status;
  };
  let customers = 0;
  return {
    ...test,
    fake,
    post,
    async payer() {
      const customerId = `cus_${++customers}`;
      return { userId: await createPayingUser(client, 'fake', customerId), customerId };
    },
    async deliver(events) {
      const answers = await Promise.all(events.map((event) => post(event)));
      const wrong = answers.filter((status) => status !== 200);
      if (wrong.length > 0) throw new Error(`Webhooks were answered with ${wrong.join(', ')}.`);
    },
    waitUntilSynced: () => waitUntilSynced(client),
    async rows() {
      const subscriptions = await client.subscription.findMany({ orderBy: { providerId: 'asc' } });
      const invoices = await client.paymentInvoice.findMany({ orderBy: { providerId: 'asc' } });
      const owner = new Map(subscriptions.map(({ id, providerId }) => [id, providerId]));
      return {
        subscriptions: subscriptions.map(({ id: _id, version: _version, ...row }) => row),
        invoices: invoices.map(({ id: _id, subscriptionId, ...row }) => ({
          ...row,
          subscriptionId: subscriptionId && owner.get(subscriptionId),
        })),
      };
    },
    async listNotificationKeys(userId) {
      const rows = await client.notification.findMany({ where: { userId }, select: { key: true } });
      return rows.map(({ key }) => key).sort();
    },
  };
}

/** Create a user with a customer and return the user's id. */
export async function createPayingUser(client: Db, provider: string, customerId: string): Promise<string> {
  const userId = generateId();
  const name = { firstName: 'Ada', lastName: 'Payer', accountType: 'INDIVIDUAL', passwordHash: 'none' };
  await client.user.create({
    data: { id: userId, email: `${userId}@example.org`, status: 'ACTIVE', ...name },
  });
  await client.paymentCustomer.create({ data: { accountId: userId, provider, customerId } });
  return userId;
}

/** Wait until no sync is due. */
export async function waitUntilSynced(client: Db): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await wait(20)) {
    const [row] = await client.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM payment_syncs WHERE completed_count < requested_count`;
    if (row?.count === 0) return;
  }
  throw new Error('A sync is still due.');
}

/** Shuffle events and duplicate some. */
export function shuffle<One>(items: readonly One[], random = Math.random): One[] {
  return [...items, ...items.filter(() => random() < 0.3)]
    .map((one) => ({ one, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ one }) => one);
}
