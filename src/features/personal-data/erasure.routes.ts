import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { REQUIRED_FRESH_LOGIN } from '../../platform/http/api-versions.ts';
import { clearBrowserCache } from '../../platform/http/security-headers.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { DeletedResponse, schemaRef } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { eraseAccount } from './erase-account.use-case.ts';
import { AccountErasureRequest } from './personal-data.schemas.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { reauthenticateUser } from './reauthenticate.ts';

export const accountErasureRoutes: FastifyPluginAsyncTypebox<PersonalDataServices> = async (
  app,
  services,
) => {
  app.delete(
    '/account',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('ACCOUNT_ERASED'),
        rateLimitClass: 'auth',
        versionChanges: [REQUIRED_FRESH_LOGIN],
      },
      schema: {
        operationId: 'personalData.erase',
        tags: ['Personal data'],
        summary: 'Erase your account and everything in it. This cannot be undone',
        description: `Requires the current password. An account without a password sends {} and requires a login within the last ${formatLifetime('freshSession')} (403 REAUTHENTICATION_REQUIRED). All sessions end immediately, no code shows content, and the address is free; files are deleted shortly afterwards.`,
        body: AccountErasureRequest,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const provenHash = await reauthenticateUser(services, context, user, request.body.password);
      await eraseAccount(services, context, user, provenHash);
      clearBrowserCache(reply);
      return { id: user.id, deleted: true as const };
    },
  );
};
