import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { getActingAccount } from '../../../platform/acting-account.ts';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { BILLING_INTERVALS } from '../../../shared/billing-interval.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createSingleFlight } from '../../../shared/memoize.ts';
import { type CheckoutRow, findCheckout, isSubscriptionStored } from './checkout.repository.ts';
import { type CheckoutLink, findCheckoutErrors, openCheckout } from './open-checkout.use-case.ts';
import { CheckoutRequest, CheckoutSession, CheckoutState } from './purchase.schemas.ts';
import { type PurchaseServices, requireBilling } from './purchase-services.ts';

export const checkoutRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { database, createIdempotently } = services;
  const singleFlight = createSingleFlight<CheckoutLink>();

  app.post(
    '/checkout-session',
    {
      config: {
        access: allowUsersWithProfile('subscription:own'),
        audit: auditAs('CHECKOUT_OPENED'),
        findUseCaseErrors: (body: Partial<Static<typeof CheckoutRequest>>) =>
          findCheckoutErrors(database.client, body),
      },
      schema: {
        operationId: 'subscription.createCheckoutSession',
        tags: ['Subscription'],
        summary: 'Create a checkout session for a package',
        description:
          'Returns the `url` of the payment page of the provider. The same choice again returns the open page; another choice ends it. An account with a subscription changes it instead: 409 ALREADY_SUBSCRIBED, see POST /api/subscription/change.',
        headers: IdempotencyKeyHeader,
        body: CheckoutRequest,
        response: { 201: schemaRef(CheckoutSession), ...createProblemResponseSchemas(404, 409, 503) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { id: accountId } = getActingAccount(user);
      const context = getRequestContext(request);
      const { packageId, interval, currency } = request.body;
      const choice = { packageId, interval, currency };
      const once = { who: accountId, fingerprint: choice };
      const replayed = await createIdempotently.replay<CheckoutLink>(context, once);
      if (replayed) return prepareCreatedReply(reply, replayed);
      const page = await singleFlight(
        JSON.stringify([accountId, packageId, interval, currency ?? null]),
        () => openCheckout(requireBilling(services), context, user, choice),
      );
      const location = `/api/subscription/checkout-session/${page.id}`;
      return prepareCreatedReply(
        reply,
        await createIdempotently(context, once, async () => ({ body: page, location })),
      );
    },
  );

  app.get(
    '/checkout-session/:id',
    {
      config: { access: allowUsers('subscription:own'), audit: skipAudit('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.getCheckoutSession',
        tags: ['Subscription'],
        summary: 'Get a checkout session',
        description:
          'Poll it after the user returns: COMPLETED follows shortly after the payment, together with the subscription of GET /api/subscription/status.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(CheckoutState) },
      },
    },
    async (request) => {
      const row = await findCheckout(database.client, requireAccount(request).id, request.params.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      const { id, packageId, currency } = row;
      return {
        id,
        packageId,
        currency,
        interval: BILLING_INTERVALS.find((interval) => interval === row.interval) ?? 'month',
        status: await getVisibleState(row),
        expiresAt: row.expiresAt.toISOString(),
        createdAt: row.createdAt.toISOString(),
      };
    },
  );

  /** A checkout is completed once its subscription is stored, so that it agrees with the status. */
  async function getVisibleState(row: CheckoutRow) {
    const { providerSubscriptionId: id } = row;
    const isUnsynced =
      row.state === 'COMPLETED' && id && !(await isSubscriptionStored(database.client, row, id));
    return isUnsynced ? 'OPEN' : (CHECKOUT_STATES.find((state) => state === row.state) ?? 'OPEN');
  }
};

const CHECKOUT_STATES = ['OPEN', 'COMPLETED', 'EXPIRED'] as const;
