import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { accountWithProfile, audited } from '../../platform/route-access.ts';
import { IdempotencyHeader, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { fromProvider, isNotDone } from './payment-failures.ts';
import { findCustomerId } from './payment-names.repository.ts';
import { isGone } from './payment-names.ts';
import { PortalSession } from './purchase.schemas.ts';
import { type PurchaseServices, selling } from './purchase-services.ts';

/** The page of the payment provider on which a person sees invoices and changes how they pay. */
export const portalRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { database, createOnce, paymentReturnUrl } = services;

  app.post(
    '/portal-session',
    {
      config: { access: accountWithProfile('subscription:own'), audit: audited('PAYMENT_PORTAL_OPENED') },
      schema: {
        operationId: 'subscription.portal',
        tags: ['Subscription'],
        summary: 'Open a page on which to see invoices and to change how one pays.',
        headers: IdempotencyHeader,
        response: { 201: ref(PortalSession), ...problems(409, 503) },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      const caller = callerOf(request);
      const once = { who: user.id, sameAs: null };
      const known = await createOnce.replay<{ url: string }>(caller, once);
      if (known) return created(reply, known);
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
      const made = await createOnce(caller, once, async (tx) => {
        await recordAction(tx, caller);
        return { body: { url }, location: url };
      });
      return created(reply, made);
    },
  );
};
