import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { revokeUserAccess } from '../accounts/revoke-access.ts';
import { IdentitySchema } from './identities.schemas.ts';
import {
  deleteIdentity,
  findOwnIdentity,
  hasOtherSignInMethod,
  listUserIdentities,
} from './identity.repository.ts';
import type { IdentityServices } from './identity-services.ts';
import { formatIdentityProviderName } from './link.rules.ts';

export const identityRoutes: FastifyPluginAsyncTypebox<IdentityServices> = async (app, services) => {
  const { database, mailOutbox } = services;

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
      const user = requireAuthenticatedUser(request);
      await database.transaction(async (tx) => {
        await lockUserAndSession(tx, user);
        const identity = await findOwnIdentity(tx, user.id, id);
        if (!identity) throw new ServiceError('NOT_FOUND');
        await requireRecentLogin(tx, user);
        const issuer = services.identityProvider?.issuer ?? null;
        if (!(await hasOtherSignInMethod(tx, identity, issuer)))
          throw new ServiceError('LAST_SIGN_IN_METHOD');
        await deleteIdentity(tx, id);
        await revokeUserAccess(tx, user.id, 'REVOKED', user.sessionId);
        const values = { provider: formatIdentityProviderName(identity.issuer) };
        await mailOutbox.enqueue(tx, { template: 'IDENTITY_UNLINKED', to: user.email, values });
        await recordAuditEntry(tx, getRequestContext(request), {
          resourceId: user.id,
          changes: ['identities'],
        });
      });
      mailOutbox.wake();
      return { id, deleted: true as const };
    },
  );
};
