import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { IdentitySchema, IdTokenSignInRequest } from './identities.schemas.ts';
import { listUserIdentities } from './identity.repository.ts';
import { toIdentityView } from './identity.view.ts';
import type { IdentityServices } from './identity-services.ts';
import { linkIdentity } from './link-identity.use-case.ts';
import { unlinkIdentity } from './unlink-identity.use-case.ts';

const RECENT_LOGIN = `Requires a login within the last ${formatLifetime('freshSession')}: 403 REAUTHENTICATION_REQUIRED.`;

export const identityRoutes: FastifyPluginAsyncTypebox<IdentityServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/identities',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'accounts.listIdentities',
        tags: ['Accounts'],
        summary: 'List linked identities, newest first',
        description: 'Lists the accounts at sign-in providers that can log in to this account.',
        querystring: PageQuery,
        response: { 200: createPageSchema(IdentitySchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listUserIdentities(database.client, requireAuthenticatedUser(request).id, page);
      return toListPage(page, list, toIdentityView);
    },
  );

  app.post(
    '/identities',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('IDENTITY_LINKED'),
        rateLimitClass: 'auth',
      },
      schema: {
        operationId: 'accounts.linkIdentity',
        tags: ['Accounts'],
        summary: 'Link an identity by its ID token, after a recent login',
        description: `For an identity that was unlinked, or that has another address: signing in with it links it only by the address of the account, and not again after it was unlinked. ${RECENT_LOGIN} An identity of another account, or a second one of the same provider, is 409 IDENTITY_CONFLICT. Linking it again is 200. You get an email.`,
        body: IdTokenSignInRequest,
        response: {
          200: schemaRef(IdentitySchema),
          201: schemaRef(IdentitySchema),
          ...createProblemResponseSchemas(401, 403, 409),
        },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { identity, isNew } = await linkIdentity(
        services,
        getRequestContext(request),
        user,
        request.body,
      );
      if (isNew) reply.code(201).header('Location', '/api/auth/identities');
      return identity;
    },
  );

  app.delete(
    '/identities/:id',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('IDENTITY_UNLINKED') },
      schema: {
        operationId: 'accounts.unlinkIdentity',
        tags: ['Accounts'],
        summary: 'Unlink an identity after a recent login; ends all other sessions',
        description: `${RECENT_LOGIN} Signing in with the identity does not link it again; POST /api/auth/identities does. The last way to log in cannot be removed: 409 LAST_SIGN_IN_METHOD. The user gets an email.`,
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await unlinkIdentity(services, getRequestContext(request), requireAuthenticatedUser(request), id);
      return { id, deleted: true as const };
    },
  );
};
