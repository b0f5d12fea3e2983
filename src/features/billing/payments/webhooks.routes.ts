import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { paymentWebhooks } from '../../../platform/monitoring/metrics.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import {
  PaymentError,
  type PaymentProvider,
  type PaymentWebhookEvent,
} from '../../../providers/payments/payments.port.ts';
import { schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createWebhookEventInbox } from './event-inbox.ts';
import type { PaymentServices } from './payment-services.ts';
import { PaymentWebhookParams, WebhookReceived } from './webhooks.schemas.ts';

/** An event is stored before the response. */
export const paymentWebhookRoutes: FastifyPluginAsyncTypebox<PaymentServices> = async (app, services) => {
  const { payments } = services;
  const storeEvent = createWebhookEventInbox(services);
  // The signature covers the raw bytes, whatever the content type is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.addHook('onRequest', async ({ params }) => {
    const name: unknown = typeof params === 'object' && params ? Reflect.get(params, 'provider') : undefined;
    if (!payments || name !== payments.webhook) throw new ServiceError('NOT_FOUND');
  });

  app.post(
    '/:provider',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: skipAudit('SUBSCRIPTION'),
        rateLimitClass: 'webhook',
        ignoresUnknownFields: true,
      },
      schema: {
        operationId: 'webhooks.receive',
        tags: ['Subscription'],
        summary: 'Receive a signed event of a payment provider',
        description:
          'Checks the signature over the raw body and stores the event, once; it is processed afterwards. An unsigned or altered body is 400 SIGNATURE_INVALID, an unknown provider 404.',
        params: PaymentWebhookParams,
        response: { 200: schemaRef(WebhookReceived) },
      },
    },
    async ({ body, headers }) => {
      if (!payments) throw new ServiceError('NOT_FOUND');
      const signature = headers[payments.signatureHeader];
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const event = readEvent(payments, bytes, typeof signature === 'string' ? signature : undefined);
      const { id: eventId, kind, subject, closure, createdAt } = event;
      await storeEvent({ provider: payments.name, eventId, kind, subject, closure, createdAt });
      paymentWebhooks.inc({ outcome: 'stored' });
      return { received: true as const };
    },
  );
};

function readEvent(
  payments: PaymentProvider,
  body: Buffer,
  signature: string | undefined,
): PaymentWebhookEvent {
  try {
    return payments.readEvent(body, signature, new Date());
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    paymentWebhooks.inc({ outcome: 'invalid signature' });
    // The reason would help an attacker.
    throw new ServiceError('SIGNATURE_INVALID');
  }
}
