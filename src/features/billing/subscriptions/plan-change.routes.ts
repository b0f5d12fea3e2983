import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getActingAccount } from '../../../platform/acting-account.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { AcceptLanguageHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { changeSubscription, previewPlanChange } from './change-subscription.ts';
import { getRequestLanguages } from './localized-name.ts';
import { PlanChangeChoice, PlanChangeRequest, SubscriptionChangePreview } from './purchase.schemas.ts';
import type { PurchaseServices } from './purchase-services.ts';
import { findSubscription } from './subscription.repository.ts';
import { toSubscriptionView } from './subscription.view.ts';
import { Subscription } from './subscriptions.schemas.ts';

const ACCESS = allowUsersWithProfile('subscription:own');

export const planChangeRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  app.post(
    '/change/preview',
    {
      config: { access: ACCESS, audit: skipAudit('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.previewChange',
        tags: ['Subscription'],
        summary: 'Preview the cost of a plan change',
        description: `Changes nothing. The unused part of the paid period is credited. Send \`previewedAt\` with the change, within ${formatLifetime('changePreview')}. 409 NO_SUBSCRIPTION without an active subscription.`,
        body: PlanChangeChoice,
        response: {
          200: schemaRef(SubscriptionChangePreview),
          ...createProblemResponseSchemas(404, 409, 503),
        },
      },
    },
    async (request) => {
      const { packageId, interval } = request.body;
      const change = { packageId, interval };
      const { subscription, preview, at } = await previewPlanChange(
        services,
        requireAuthenticatedUser(request),
        change,
      );
      const { currency, dueNow, perPeriod, currentPeriodEnd } = preview;
      return {
        subscriptionId: subscription.id,
        packageId,
        interval,
        previewedAt: at.toISOString(),
        currency,
        dueNow,
        perPeriod,
        currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
      };
    },
  );

  app.post(
    '/change',
    {
      config: { access: ACCESS, audit: auditAs('SUBSCRIPTION_CHANGED'), storesResponse: true },
      schema: {
        operationId: 'subscription.change',
        tags: ['Subscription'],
        summary: 'Change package or interval as previewed. Idempotent',
        description: `Send the \`previewedAt\` of a preview, at most ${formatLifetime('changePreview')} old (409 PREVIEW_EXPIRED). 409 PAYMENT_PENDING if the change waits for its payment, 409 PAYMENT_DECLINED if that fails.`,
        headers: AcceptLanguageHeader,
        body: PlanChangeRequest,
        response: { 200: schemaRef(Subscription), ...createProblemResponseSchemas(404, 409, 503) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      const { packageId, interval, previewedAt } = request.body;
      const change = { packageId, interval, previewedAt: new Date(previewedAt) };
      const id = await changeSubscription(services, getRequestContext(request), user, change);
      const row = await findSubscription(services.database.client, getActingAccount(user).id, id);
      if (!row) throw new ServiceError('NOT_FOUND');
      return toSubscriptionView(row, getRequestLanguages(request));
    },
  );
};
