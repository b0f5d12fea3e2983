import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { revokeAccess } from '../accounts/revoke-access.ts';
import { Identity } from './identities.schemas.ts';
import { deleteIdentity, findOwnIdentity, hasOtherWayIn, listIdentities } from './identity.repository.ts';
import type { IdentityServices } from './identity-services.ts';
import { providerName } from './link.rules.ts';

/** The identities by which a person logs in. */
export const identityRoutes: FastifyPluginAsyncTypebox<IdentityServices> = async (app, services) => {
  const { database, postOffice } = services;

  app.get(
    '/identities',
    {
      config: { access: account('account:use'), audit: unaudited('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'accounts.identities',
        tags: ['Accounts'],
        summary: 'The identity providers that open the account, newest first.',
        querystring: PageQuery,
        response: { 200: pageOf(Identity) },
      },
    },
    async (request) => {
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listIdentities(database.client, userOf(request).id, page);
      const data = rows.map((row) => ({
        id: row.id,
        issuer: row.issuer,
        email: row.email,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
      }));
      return pageAnswer(request.query, data, total);
    },
  );

  app.delete(
    '/identities/:id',
    {
      config: { access: account('account:use'), audit: audited('IDENTITY_UNLINKED') },
      schema: {
        operationId: 'accounts.unlinkIdentity',
        tags: ['Accounts'],
        summary: 'Take an identity provider off the account; ends every other session.',
        params: idParams('id'),
        response: { 200: ref(Deleted), ...problems(409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const user = userOf(request);
      await database.transaction(async (tx) => {
        await holdAccount(tx, user);
        const identity = await findOwnIdentity(tx, user.id, id);
        if (!identity) throw new ServiceError('NOT_FOUND');
        const issuer = services.identityProvider?.issuer ?? null;
        if (!(await hasOtherWayIn(tx, identity, issuer))) throw new ServiceError('LAST_WAY_IN');
        await deleteIdentity(tx, id);
        await revokeAccess(tx, user.id, 'REVOKED', user.sessionId);
        const values = { provider: providerName(identity.issuer) };
        await postOffice.post(tx, { template: 'IDENTITY_UNLINKED', to: user.email, values });
        await recordAction(tx, callerOf(request), { resourceId: user.id, changes: ['identities'] });
      });
      postOffice.wake();
      return { id, deleted: true as const };
    },
  );
};
