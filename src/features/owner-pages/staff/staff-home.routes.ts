import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { allowByCookie, allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { getStaffEntryPath } from './staff-layout.ts';
import { listStaffEntries } from './staff-navigation.ts';

/** The way into the pages of staff: to the first that a role may see. */
export const staffHomePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/staff',
    {
      config: {
        access: allowByCookie(allowUsers('account:manage')),
        audit: skipAudit('SYSTEM'),
        rateLimitClass: 'page',
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const [first] = listStaffEntries(requireAuthenticatedUser(request).role);
      if (!first) throw new ServiceError('NOT_FOUND');
      return reply.redirect(getStaffEntryPath(services, first.name), 303);
    },
  );
};
