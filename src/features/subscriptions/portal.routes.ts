import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireUser } from '../../platform/authentication.ts';
import { replyCreated } from '../../platform/http/reply-created.ts';
import { problemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsersWithProfile, auditAs } from '../../platform/route-access.ts';
import { IdempotencyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { fromProvider, isNotDone } from './payment-failures.ts';
import { findCustomerId } from './payment-names.repository.ts';
import { isGone } from './payment-names.ts';
import { PortalSession } from './purchase.schemas.ts';
import { type PurchaseServices, selling } from './purchase-services.ts';

/** The page of the payment provider on which a person sees invoices and changes how they pay. */
export const portalRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { database, createIdempotently, paymentReturnUrl } = services;

  app.post(
    '/portal-session',
    {
      config: { access: allowUsersWithProfile('subscription:own'), audit: auditAs('PAYMENT_PORTAL_OPENED') },
      schema: {
        operationId: 'subscription.portal',
        tags: ['Subscription'],
        summary: 'Open a page on which to see invoices and to change how one pays.',
        headers: IdempotencyHeader,
        response: { 201: schemaRef(PortalSession), ...problemResponses(409, 503) },
      },
    },
    async (request, reply) => {
      const user = requireUser(request);
      const context = getRequestContext(request);
      const once = { who: user.id, sameAs: null };
      const known = await createIdempotently.replay<{ url: string }>(context, once);
      if (known) return replyCreated(reply, known);
      const { payments } = selling(services);
      const customerId = await findCustomerId(database.client, user.id, payments.name);
      if (customerId === null) throw new ServiceError('NO_CUSTOMER');
      const url = await fromProvider(async () => {
        try {
          const { tag } = toLocale(user.language);
          return await payments.openPortal(customerId, `${paymentReturnUrl}/portal/back`, tag);
        } catch (error) {
          if (!isNotDone(error) || !(await isGone({ database, payments }, customerId))) throw error;
          throw new ServiceError('NO_CUSTOMER');
        }
      });
      const made = await createIdempotently(context, once, async (tx) => {
        await recordAuditEntry(tx, context);
        return { body: { url }, location: url };
      });
      return replyCreated(reply, made);
    },
  );
};
