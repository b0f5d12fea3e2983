import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { callPaymentProvider, isPaymentProviderRejection } from './provider-errors.ts';
import { findCustomerId } from './provider-ids.repository.ts';
import { checkAndMarkCustomerDeleted } from './provider-ids.ts';
import { PortalSession } from './purchase.schemas.ts';
import { type PurchaseServices, requireBilling } from './purchase-services.ts';

export const billingPortalRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { database, createIdempotently, paymentReturnUrl } = services;

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
      const once = { who: user.id, fingerprint: null, isSecret: true };
      const replayed = await createIdempotently.replay<{ url: string }>(context, once);
      if (replayed) return prepareCreatedReply(reply, replayed);
      const { payments } = requireBilling(services);
      const customerId = await findCustomerId(database.client, user.id, payments.name);
      if (customerId === null) throw new ServiceError('NO_CUSTOMER');
      const url = await callPaymentProvider(async () => {
        try {
          const { tag } = toSupportedLocale(user.language);
          return await payments.openPortal(customerId, `${paymentReturnUrl}/portal/back`, tag);
        } catch (error) {
          if (
            !isPaymentProviderRejection(error) ||
            !(await checkAndMarkCustomerDeleted({ database, payments }, customerId))
          )
            throw error;
          throw new ServiceError('NO_CUSTOMER');
        }
      });
      const made = await createIdempotently(context, once, async (tx) => {
        await recordAuditEntry(tx, context);
        return { body: { url }, location: url };
      });
      return prepareCreatedReply(reply, made);
    },
  );
};
