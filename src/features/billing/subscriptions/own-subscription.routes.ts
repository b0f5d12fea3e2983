import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../../../platform/authentication.ts';
import { HAD_LOWER_CASE_WHEN } from '../../../platform/http/api-versions.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../../platform/route-access.ts';
import { AcceptLanguageHeader, createIdParamsSchema, schemaRef } from '../../../shared/common.schemas.ts';
import { cancelOwnSubscription, keepOwnSubscription } from './end-subscription.ts';
import { getRequestLanguages } from './localized-name.ts';
import { CancelSubscriptionQuery } from './purchase.schemas.ts';
import type { PurchaseServices } from './purchase-services.ts';
import { toSubscriptionView } from './subscription.view.ts';
import { Subscription } from './subscriptions.schemas.ts';

const OWN_ACCESS = allowUsers('subscription:own');

export const ownSubscriptionRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  app.delete(
    '/cancel/:subscriptionId',
    {
      config: {
        access: OWN_ACCESS,
        audit: auditAs('SUBSCRIPTION_CANCELED'),
        versionChanges: [HAD_LOWER_CASE_WHEN],
      },
      schema: {
        operationId: 'subscription.cancel',
        tags: ['Subscription'],
        summary: 'Cancel a subscription now or at the period end. Idempotent',
        description:
          '`when=NOW` ends it at once; otherwise it ends with the paid period and can be kept until then. Printed codes keep working.',
        headers: AcceptLanguageHeader,
        params: createIdParamsSchema('subscriptionId'),
        querystring: CancelSubscriptionQuery,
        response: { 200: schemaRef(Subscription), ...createProblemResponseSchemas(409, 503) },
      },
    },
    async (request) => {
      const key = toKey(request);
      const { when } = request.query;
      const row = await cancelOwnSubscription(services, getRequestContext(request), key, when);
      return toSubscriptionView(row, getRequestLanguages(request));
    },
  );

  app.post(
    '/:subscriptionId/keep',
    {
      config: {
        access: OWN_ACCESS,
        audit: auditAs('SUBSCRIPTION_CANCELLATION_UNDONE'),
        storesResponse: true,
      },
      schema: {
        operationId: 'subscription.keep',
        tags: ['Subscription'],
        summary: 'Undo a cancellation at the period end. Idempotent',
        description: 'The subscription renews again. 409 SUBSCRIPTION_ENDED once it has ended.',
        headers: AcceptLanguageHeader,
        params: createIdParamsSchema('subscriptionId'),
        response: { 200: schemaRef(Subscription), ...createProblemResponseSchemas(409, 503) },
      },
    },
    async (request) => {
      const row = await keepOwnSubscription(services, getRequestContext(request), toKey(request));
      return toSubscriptionView(row, getRequestLanguages(request));
    },
  );
};

function toKey(request: FastifyRequest<{ Params: { subscriptionId: string } }>) {
  return { accountId: requireAccount(request).id, id: request.params.subscriptionId };
}
