import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { addFirstStep } from '../../identity/index.ts';
import { CODE_ACCESS } from '../codes/code-actions.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';

/** The button that hides the first steps. */
export const firstStepsPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.post(
    '/:accountId/first-steps/hide',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('USER') },
      schema: { hide: true, params: createIdParamsSchema('accountId'), body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId } = request.params;
      await addFirstStep(services.database.client, accountId, 'HIDDEN');
      return reply.redirect(getAccountPath(services, accountId), 303);
    },
  );
};
