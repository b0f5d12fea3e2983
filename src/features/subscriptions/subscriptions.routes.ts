import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { userOf } from '../../platform/authentication.ts';
import type { Database, Db } from '../../platform/database.ts';
import { account, unaudited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { findUser } from '../accounts/user.repository.ts';
import { acceptedLanguages, nameIn } from './accepted-language.rules.ts';
import { listPackages } from './package.repository.ts';
import type { Plan } from './plan-of-user.repository.ts';
import { LanguageHeader, SubscriptionPackage, SubscriptionStatus } from './subscriptions.schemas.ts';

interface SubscriptionServices {
  database: Database;
  planOf(db: Db, userId: string, ...languages: string[]): Promise<Plan>;
}

/** The packages on offer and the one that a person has. */
export const subscriptionRoutes: FastifyPluginAsyncTypebox<SubscriptionServices> = async (
  app,
  { database, planOf },
) => {
  app.get(
    '/all',
    {
      config: {
        access: account('subscription:own'),
        audit: unaudited('SUBSCRIPTION'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'subscription.packages',
        tags: ['Subscription'],
        summary: 'The packages on offer, from small to large.',
        headers: LanguageHeader,
        querystring: PageQuery,
        response: { 200: pageOf(SubscriptionPackage) },
      },
    },
    async (request, reply) => {
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listPackages(database.client, page);
      const languages = await languagesOf(request);
      const data = rows.map(({ names, ...offer }) => ({
        ...offer,
        name: nameIn(names, languages, offer.code),
      }));
      const vary = [reply.getHeader('vary') ?? [], 'Accept-Language'].flat().join(', ');
      return reply.header('Vary', vary).send(pageAnswer(request.query, data, total));
    },
  );

  app.get(
    '/status',
    {
      config: { access: account('subscription:own'), audit: unaudited('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.status',
        tags: ['Subscription'],
        summary: "The account's package, its limits, and what is used of them.",
        headers: LanguageHeader,
        response: { 200: ref(SubscriptionStatus) },
      },
    },
    async (request) => {
      const plan = await planOf(database.client, userOf(request).id, ...(await languagesOf(request)));
      return {
        id: null,
        package: plan.package,
        state: 'NONE' as const,
        currentPeriodEnd: null,
        cancelAtPeriodEnd: false,
        usage: plan.usage,
        limits: plan.limits,
        keepsWorking: true as const,
      };
    },
  );

  /** What the client accepts, then what the person has chosen. */
  async function languagesOf(request: FastifyRequest): Promise<string[]> {
    const user = await findUser(database.client, userOf(request).id);
    return [...acceptedLanguages(request.headers['accept-language']), user?.language ?? 'en'];
  }
};
