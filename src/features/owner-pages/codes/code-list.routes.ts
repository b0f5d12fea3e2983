import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { allowLimitedMembers, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS } from './code-actions.ts';
import { CodeListQuery, sendCodeListPage } from './code-list-page.ts';
import { getDeletedCodesPath } from './code-parts.ts';

/** The codes of an account. */
export const codeListPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/codes',
    {
      config: {
        access: allowLimitedMembers(CODE_ACCESS, 'FILTERED'),
        audit: skipAudit('QRCODE'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, params: createIdParamsSchema('accountId'), querystring: CodeListQuery },
    },
    async (request, reply) => {
      const { query, params } = request;
      if (query.status === 'DELETED') return reply.redirect(getDeletedCodesPath(services, params), 303);
      return sendCodeListPage(services, request, reply, query);
    },
  );
};
