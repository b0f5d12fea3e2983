import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getActingAccount } from '../../../platform/acting-account.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { openBillingPortal } from './open-portal.ts';
import { PortalSession } from './purchase.schemas.ts';
import type { PurchaseServices } from './purchase-services.ts';

export const billingPortalRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { createIdempotently } = services;

  app.post(
    '/portal-session',
    {
      config: { access: allowUsersWithProfile('subscription:own'), audit: auditAs('PAYMENT_PORTAL_OPENED') },
      schema: {
        operationId: 'subscription.createPortalSession',
        tags: ['Subscription'],
        summary: 'Create a billing portal session for invoices and payment methods',
        description:
          'Send the user to `url`, which is valid for a short time and returned only once. 409 NO_CUSTOMER for an account that never bought anything.',
        headers: IdempotencyKeyHeader,
        response: { 201: schemaRef(PortalSession), ...createProblemResponseSchemas(409, 503) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const once = { who: getActingAccount(user).id, fingerprint: null, isSecret: true };
      const replayed = await createIdempotently.replay<{ url: string }>(context, once);
      if (replayed) return prepareCreatedReply(reply, replayed);
      const url = await openBillingPortal(services, user);
      const made = await createIdempotently(context, once, async (tx) => {
        await recordAuditEntry(tx, context);
        return { body: { url }, location: url };
      });
      return prepareCreatedReply(reply, made);
    },
  );
};
