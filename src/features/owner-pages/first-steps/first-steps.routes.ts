import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
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
      await addFirstStep(services.database.client, requireAuthenticatedUser(request).id, 'HIDDEN');
      return reply.redirect(getAccountPath(services, request.params.accountId), 303);
    },
  );
};
