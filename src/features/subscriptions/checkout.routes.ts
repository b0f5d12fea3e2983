import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited, unaudited } from '../../platform/route-access.ts';
import { IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findCheckoutRow } from './checkout.repository.ts';
import { INTERVALS } from './offer.rules.ts';
import { type OpenCheckout, openCheckout } from './open-checkout.ts';
import { CheckoutSession, CheckoutState, NewCheckout } from './purchase.schemas.ts';
import { type PurchaseServices, selling } from './purchase-services.ts';
import { createSharedCalls } from './share-calls.ts';

/** Pages of the payment provider, on which somebody pays for a package. */
export const checkoutRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { database, createOnce } = services;
  const share = createSharedCalls<OpenCheckout>();

  app.post(
    '/checkout-session',
    {
      config: { access: accountWithProfile('subscription:own'), audit: audited('CHECKOUT_OPENED') },
      schema: {
        operationId: 'subscription.checkout',
        tags: ['Subscription'],
        summary: 'Open a page on which to pay for a package.',
        description:
          'The package and the interval are chosen; what it costs and where the page leads back to is not. There is one open page at a time: the same choice again answers it, another ends it. 409 ALREADY_SUBSCRIBED with a subscription: that is changed, by POST /api/subscription/change.',
        headers: IdempotencyHeader,
        body: NewCheckout,
        response: { 201: ref(CheckoutSession), ...problems(404, 409, 503) },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      const caller = callerOf(request);
      const { packageId, interval, currency } = request.body;
      const choice = { packageId, interval, currency };
      const once = { who: user.id, sameAs: choice };
      const known = await createOnce.replay<OpenCheckout>(caller, once);
      if (known) return created(reply, known);
      const page = await share(JSON.stringify([user.id, packageId, interval, currency ?? null]), () =>
        openCheckout(selling(services), caller, user, choice),
      );
      const location = `/api/subscription/checkout-session/${page.id}`;
      return created(reply, await createOnce(caller, once, async () => ({ body: page, location })));
    },
  );

  app.get(
    '/checkout-session/:id',
    {
      config: { access: account('subscription:own'), audit: unaudited('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.checkoutState',
        tags: ['Subscription'],
        summary: 'Whether a page to pay on is open, or was paid on.',
        description: 'For whoever comes back from it: COMPLETED moments after the payment.',
        params: idParams('id'),
        response: { 200: ref(CheckoutState) },
      },
    },
    async (request) => {
      const row = await findCheckoutRow(database.client, userOf(request).id, request.params.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      const { id, packageId, currency } = row;
      return {
        ...{ id, packageId, currency },
        interval: INTERVALS.find((interval) => interval === row.interval) ?? 'month',
        state: STATES.find((state) => state === row.state) ?? 'OPEN',
        expiresAt: row.expiresAt.toISOString(),
        createdAt: row.createdAt.toISOString(),
      };
    },
  );
};

const STATES = ['OPEN', 'COMPLETED', 'EXPIRED'] as const;
