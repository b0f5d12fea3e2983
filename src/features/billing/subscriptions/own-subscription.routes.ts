import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { HAD_LOWER_CASE_WHEN } from '../../../platform/http/api-versions.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { getRequestLanguages } from './localized-name.ts';
import { callPaymentProvider } from './provider-errors.ts';
import { CancelSubscriptionQuery } from './purchase.schemas.ts';
import { type PurchaseServices, requirePaymentProvider } from './purchase-services.ts';
import { findSubscription } from './subscription.repository.ts';
import { applyProviderSubscriptionState, toSubscriptionView } from './subscription.view.ts';
import { AcceptLanguageHeader, Subscription } from './subscriptions.schemas.ts';

const OWN_ACCESS = allowUsers('subscription:own');

export const ownSubscriptionRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { database } = services;

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
      const { when } = request.query;
      const row = await ownRow(request, request.params.subscriptionId);
      const isAlreadyRequested = row.state === 'CANCELED' || (when === 'PERIOD_END' && row.cancelAtPeriodEnd);
      if (isAlreadyRequested) return toSubscriptionView(row, getRequestLanguages(request));
      const provider = requirePaymentProvider(services, row.provider);
      const paid = await callPaymentProvider(() => provider.cancelSubscription(row.providerId, when));
      await services.syncSubscriptionNow(row.providerId, (tx) =>
        recordAuditEntry(tx, getRequestContext(request), { resourceId: row.id, changes: [when] }),
      );
      return toSubscriptionView(
        applyProviderSubscriptionState(await ownRow(request, row.id), paid),
        getRequestLanguages(request),
      );
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
      const row = await ownRow(request, request.params.subscriptionId);
      if (row.state === 'CANCELED') throw new ServiceError('SUBSCRIPTION_ENDED');
      if (!row.cancelAtPeriodEnd) return toSubscriptionView(row, getRequestLanguages(request));
      const provider = requirePaymentProvider(services, row.provider);
      const paid = await callPaymentProvider(() => provider.undoCancellation(row.providerId));
      await services.syncSubscriptionNow(row.providerId, (tx) =>
        recordAuditEntry(tx, getRequestContext(request), { resourceId: row.id }),
      );
      return toSubscriptionView(
        applyProviderSubscriptionState(await ownRow(request, row.id), paid),
        getRequestLanguages(request),
      );
    },
  );

  /** @throws NOT_FOUND when absent or of another user */
  async function ownRow(request: FastifyRequest, id: string) {
    const row = await findSubscription(database.client, requireAuthenticatedUser(request).id, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
