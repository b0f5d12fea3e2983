import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { addVary } from '../../../platform/http/add-vary.ts';
import { parseListPage, selectListRange, toListPage } from '../../../platform/http/list-pages.ts';
import { allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { AcceptLanguageHeader, schemaRef } from '../../../shared/common.schemas.ts';
import type { ListSort } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { chooseLocalizedName, getRequestLanguages } from './localized-name.ts';
import { listOfferedPackages } from './package.repository.ts';
import { getSubscriptionStatus, type SubscriptionStatusServices } from './subscription-status.ts';
import { SubscriptionPackage, SubscriptionStatus } from './subscriptions.schemas.ts';

interface SubscriptionServices extends SubscriptionStatusServices {
  config: { billing: 'stripe' | 'sandbox' | 'off' };
}

const BY_RANK: ListSort<{ id: string; rank: number }> = {
  name: 'rank',
  keyType: 'integer',
  getPosition: ({ id, rank }) => ({ key: rank, id }),
};

export const subscriptionRoutes: FastifyPluginAsyncTypebox<SubscriptionServices> = async (app, services) => {
  const { database, config } = services;

  app.get(
    '/all',
    {
      config: {
        access: allowUsers('subscription:own'),
        audit: skipAudit('SUBSCRIPTION'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'subscription.listPackages',
        tags: ['Subscription'],
        summary: 'List the packages on offer, smallest first',
        description:
          'Pass the `id` of one to POST /api/subscription/checkout-session. Empty with BILLING=off: all users have the unlimited package SELF_HOSTED.',
        headers: AcceptLanguageHeader,
        querystring: PageQuery,
        response: { 200: createPageSchema(SubscriptionPackage) },
      },
    },
    async (request, reply) => {
      const offers = config.billing === 'off' ? [] : await listOfferedPackages(database.pool);
      const page = parseListPage(request, BY_RANK);
      const languages = getRequestLanguages(request);
      const list = toListPage(page, selectListRange(page, offers), ({ names, rank: _rank, ...offer }) => ({
        ...offer,
        name: chooseLocalizedName(names, languages, offer.code),
      }));
      return addVary(reply, 'Accept-Language').send(list);
    },
  );

  app.get(
    '/status',
    {
      config: { access: allowUsers('subscription:own'), audit: skipAudit('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.getStatus',
        tags: ['Subscription'],
        summary: 'Get the package of the account, its limits and its usage',
        description:
          '`status` is NONE for an account that never had a subscription. null in `limits` means unlimited.',
        headers: AcceptLanguageHeader,
        response: { 200: schemaRef(SubscriptionStatus) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      return getSubscriptionStatus(services, accountId, getRequestLanguages(request));
    },
  );
};
