import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireUser } from '../../../platform/authentication.ts';
import { createProblemResponses } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { changeSubscription, previewChange } from './change-subscription.ts';
import { ChangePreview, PlanChangeChoice, PlanChangeRequest } from './purchase.schemas.ts';
import type { PurchaseServices } from './purchase-services.ts';
import { getRequestLanguages } from './request-languages.ts';
import { findSubscription } from './subscription.repository.ts';
import { toSubscriptionView } from './subscription.view.ts';
import { LanguageHeader, Subscription } from './subscriptions.schemas.ts';

const ACCESS = allowUsersWithProfile('subscription:own');

export const changeRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  app.post(
    '/change/preview',
    {
      config: { access: ACCESS, audit: skipAudit('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.previewChange',
        tags: ['Subscription'],
        summary: 'What a change of package or interval costs; nothing is changed.',
        description:
          'What is left of the period that is paid counts. 409 NO_SUBSCRIPTION without a subscription that runs.',
        body: PlanChangeChoice,
        response: { 200: schemaRef(ChangePreview), ...createProblemResponses(404, 409, 503) },
      },
    },
    async (request) => {
      // Providers use whole seconds.
      const at = new Date(Math.floor(Date.now() / 1000) * 1000);
      const { packageId, interval } = request.body;
      const wish = { packageId, interval };
      const { subscription, preview } = await previewChange(services, requireUser(request), wish, at);
      const { currency, dueNow, perPeriod, currentPeriodEnd } = preview;
      return {
        ...{ subscriptionId: subscription.id, packageId, interval, previewedAt: at.toISOString() },
        ...{ currency, dueNow, perPeriod, currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null },
      };
    },
  );

  app.post(
    '/change',
    {
      config: { access: ACCESS, audit: auditAs('SUBSCRIPTION_CHANGED') },
      schema: {
        operationId: 'subscription.change',
        tags: ['Subscription'],
        summary: 'Change package or interval, for what was previewed; the same again is 200.',
        headers: LanguageHeader,
        body: PlanChangeRequest,
        response: { 200: schemaRef(Subscription), ...createProblemResponses(404, 409, 503) },
      },
    },
    async (request) => {
      const user = requireUser(request);
      const { packageId, interval, previewedAt } = request.body;
      const wish = { packageId, interval, previewedAt: new Date(previewedAt) };
      const id = await changeSubscription(services, getRequestContext(request), user, wish);
      const row = await findSubscription(services.database.client, user.id, id);
      if (!row) throw new ServiceError('NOT_FOUND');
      return toSubscriptionView(row, getRequestLanguages(request));
    },
  );
};
