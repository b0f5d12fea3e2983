import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireUser } from '../../platform/authentication.ts';
import { createProblemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { DeletedResponse, schemaRef } from '../../shared/common.schemas.ts';
import { eraseAccount } from './erase-account.ts';
import { ErasureRequest } from './personal-data.schemas.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { reauthenticateByPassword } from './reauthenticate.ts';

/** The end of an account. */
export const erasureRoutes: FastifyPluginAsyncTypebox<PersonalDataServices> = async (app, services) => {
  app.delete(
    '/account',
    {
      config: { access: allowUsers('account:use'), audit: auditAs('ACCOUNT_ERASED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'personalData.erase',
        tags: ['Personal data'],
        summary: 'Erase the own account with all that is in it; this cannot be undone.',
        description:
          'Needs the current password; an account without one needs a log-in of the last 15 minutes, and sends {}. At once every session ends, no code shows anything and the address is free; files follow within moments.',
        body: ErasureRequest,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponses(409) },
      },
    },
    async (request) => {
      const user = requireUser(request);
      const context = getRequestContext(request);
      const provenHash = await reauthenticateByPassword(services, context, user, request.body.password);
      await eraseAccount(services, context, user, provenHash);
      return { id: user.id, deleted: true as const };
    },
  );
};
