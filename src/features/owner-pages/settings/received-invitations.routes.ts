import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { acceptInvitation, declineInvitation } from '../../identity/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { ACCOUNT_ACCESS, getSettingsPath, redirectWithDone } from './settings-page.ts';

const InvitationParams = createIdParamsSchema('accountId', 'invitationId');

/** Answers to the invitations that the list of organizations has. */
export const receivedInvitationPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  app.post(
    '/organizations/invitations/:invitationId/accept',
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('account:manage')),
        audit: auditAs('INVITATION_ACCEPTED'),
      },
      schema: { hide: true, params: InvitationParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { invitationId } = request.params;
      const user = requireAuthenticatedUser(request);
      return redirectWithResult(request, reply, 'invitation-accepted', () =>
        acceptInvitation(services, getRequestContext(request), user, { invitationId }),
      );
    },
  );

  app.post(
    '/organizations/invitations/:invitationId/decline',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('INVITATION_DECLINED') },
      schema: { hide: true, params: InvitationParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { invitationId } = request.params;
      const user = requireAuthenticatedUser(request);
      return redirectWithResult(request, reply, 'invitation-declined', () =>
        declineInvitation(services, getRequestContext(request), user, { invitationId }),
      );
    },
  );

  async function redirectWithResult(
    request: FastifyRequest,
    reply: FastifyReply,
    done: 'invitation-accepted' | 'invitation-declined',
    answer: () => Promise<unknown>,
  ): Promise<FastifyReply> {
    const path = `${getSettingsPath(services, request)}/organizations`;
    try {
      await answer();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'INVITATION_INVALID') throw error;
      return redirectWithDone(reply, path, 'invitation-invalid');
    }
    return redirectWithDone(reply, path, done);
  }
};
