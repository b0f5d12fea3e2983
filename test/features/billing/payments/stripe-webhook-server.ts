import Stripe from 'stripe';
import type { Test } from 'tap';
import { createStripePaymentProvider } from '../../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { startTestApp } from '../../../helper.ts';
import {
  respondNotFound,
  type StripeReply,
  startStripeServer,
} from '../../../providers/payments/stripe-server.ts';
import { createPayingUser, waitUntilSynced } from './helper.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_service';
export const NEXT_WEBHOOK_SECRET = 'whsec_that_takes_its_place';

/** Start the application with the real library and a fake Stripe server. */
export async function startStripeWebhookServer(t: Test) {
  const server = await startStripeServer(t);
  const payments = createStripePaymentProvider({
    secretKey: 'sk_test_12345678',
    webhookSecrets: [WEBHOOK_SECRET, NEXT_WEBHOOK_SECRET],
    apiBase: server.apiBase,
  });
  const test = await startTestApp(t, {}, { payments });
  const { client } = test.database;
  // Prevents the daily run during a test.
  await client.paymentReconciliation.create({ data: { provider: payments.name, startedAt: new Date() } });
  const post = async (payload: string | Buffer, headers: Record<string, string | string[]>) =>
    (await test.app.inject({ method: 'POST', url: '/api/webhooks/stripe', headers, payload })).statusCode;

  return {
    ...test,
    /** Post bytes; resolves to the status. */
    post,
    /** Sign and post an event; resolves to the status. */
    async send(event: object): Promise<number> {
      const payload = JSON.stringify(event, null, 2);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
      return post(payload, {
        'stripe-signature': signature,
        'content-type': 'application/json; charset=utf-8',
      });
    },
    /** Set the responses to GET by path; null is a 404. */
    addKnownObject(objects: Record<string, object | null>): void {
      const replies = Object.entries(objects).map(([path, object]): [string, StripeReply] => [
        `GET /v1/${path}`,
        object ?? respondNotFound,
      ]);
      server.setReply(Object.fromEntries(replies));
    },
    payer: (customerId: string) => createPayingUser(client, payments.name, customerId),
    async addPrice(priceId: string): Promise<void> {
      const { id: packageId } = await client.subscriptionPackage.findUniqueOrThrow({
        where: { code: 'PERSONAL' },
      });
      const offer = { packageId, version: 1, interval: 'month', currency: 'EUR' };
      await client.paymentPrice.create({ data: { provider: payments.name, priceId, ...offer } });
    },
    quiet: () => waitUntilSynced(client),
  };
}
