import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { parseListPage, selectListRange, toListPage } from '../../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../../platform/openapi.ts';
import { getRequestContext } from '../../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../../platform/route-access.ts';
import { schemaRef } from '../../../../shared/common.schemas.ts';
import type { FieldError } from '../../../../shared/errors.ts';
import { NEWEST_FIRST } from '../../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../../shared/pagination.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { acceptInvitation, declineInvitation } from './answer-invitation.use-case.ts';
import { toReceivedInvitationView } from './invitation.view.ts';
import {
  InvitationAnswer,
  type InvitationAnswerInput,
  ReceivedInvitationSchema,
} from './invitations.schemas.ts';
import { listOwnInvitations } from './received-invitations.ts';

/** Invitations to the address of the user who asks. */
export const receivedInvitationRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  app.get(
    '',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'invitations.list',
        tags: ['Organizations'],
        summary: 'List the invitations to your address, newest first',
        description: 'Those that you can accept; at most 100.',
        querystring: PageQuery,
        response: { 200: createPageSchema(ReceivedInvitationSchema) },
      },
    },
    async (request) => {
      const { email } = requireAuthenticatedUser(request);
      const rows = await listOwnInvitations(services, services.database.client, email);
      const page = parseListPage(request, NEWEST_FIRST);
      return toListPage(page, selectListRange(page, rows), toReceivedInvitationView);
    },
  );

  app.post(
    '/accept',
    {
      config: {
        access: allowUsersWithProfile('account:manage'),
        audit: auditAs('INVITATION_ACCEPTED'),
        storesResponse: true,
        findBodyErrors,
      },
      schema: {
        operationId: 'invitations.accept',
        tags: ['Organizations'],
        summary: 'Accept an invitation: become a member of the organization',
        description:
          'By the token of the link, or by an id of GET /api/invitations; only to the address of your account. Whatever is wrong with it: 404 INVITATION_INVALID. Owners get an email.',
        body: InvitationAnswer,
        response: { 200: schemaRef(ReceivedInvitationSchema), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      return toReceivedInvitationView(
        await acceptInvitation(services, getRequestContext(request), user, request.body),
      );
    },
  );

  app.post(
    '/decline',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('INVITATION_DECLINED'),
        storesResponse: true,
        findBodyErrors,
      },
      schema: {
        operationId: 'invitations.decline',
        tags: ['Organizations'],
        summary: 'Decline an invitation',
        description: 'Named as in POST /api/invitations/accept.',
        body: InvitationAnswer,
        response: { 200: schemaRef(ReceivedInvitationSchema), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      return toReceivedInvitationView(
        await declineInvitation(services, getRequestContext(request), user, request.body),
      );
    },
  );
};

function findBodyErrors({ token, invitationId }: InvitationAnswerInput): FieldError[] {
  if ((token === undefined) !== (invitationId === undefined)) return [];
  const code = token === undefined ? 'REQUIRED' : 'NOT_ALLOWED';
  return [{ field: 'token', code, message: 'Send either token or invitationId.' }];
}
