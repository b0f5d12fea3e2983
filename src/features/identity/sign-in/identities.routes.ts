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
import { IdentitySchema } from './identities.schemas.ts';
import { listUserIdentities } from './identity.repository.ts';
import type { IdentityServices } from './identity-services.ts';
import { unlinkIdentity } from './unlink-identity.use-case.ts';

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
      return toListPage(page, list, (row) => ({
        id: row.id,
        issuer: row.issuer,
        email: row.email,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
      }));
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
        description: `Requires a login within the last ${formatLifetime('freshSession')} (403 REAUTHENTICATION_REQUIRED). The last way to log in cannot be removed: 409 LAST_SIGN_IN_METHOD. The user gets an email.`,
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
