import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { parseListPage, selectListRange, toListPage } from '../../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../../platform/openapi.ts';
import { getRequestContext } from '../../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../../shared/pagination.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { listPendingInvitations } from './invitation.repository.ts';
import { toInvitationView } from './invitation.view.ts';
import { InvitationSchema, MAX_PENDING_INVITATIONS, NewInvitation } from './invitations.schemas.ts';
import { inviteMember, MAX_RESENDS_PER_DAY } from './invite-member.use-case.ts';
import { resendInvitation, revokeInvitation } from './manage-invitations.use-case.ts';
import { getManagedInvitation, getManagedOrganization } from './managed-organization.ts';

const InvitationParams = createIdParamsSchema('id', 'invitationId');

/** Invitations of an organization, for its owners and managers. */
export const invitationRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.post(
    '/:id/invitations',
    {
      config: { access: allowUsersWithProfile('account:manage'), audit: auditAs('INVITATION_CREATED') },
      schema: {
        operationId: 'organizations.createInvitation',
        tags: ['Organizations'],
        summary: 'Invite somebody to an organization by email',
        description: `Owners invite as any of these roles, managers as EDITOR, RESPONDER or VIEWER; others get 403 FORBIDDEN. The link works for ${formatLifetime('invitation')}. An address that is invited already gets a new link with this role. Up to ${MAX_PENDING_INVITATIONS} pending, and members by plan (403 PLAN_LIMIT_REACHED).`,
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        body: NewInvitation,
        response: { 201: schemaRef(InvitationSchema), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) =>
      prepareCreatedReply(
        reply,
        await inviteMember(
          services,
          getRequestContext(request),
          requireAuthenticatedUser(request),
          request.params.id,
          request.body,
        ),
      ),
  );

  app.get(
    '/:id/invitations',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.listInvitations',
        tags: ['Organizations'],
        summary: 'List the pending invitations of an organization, newest first',
        description:
          'Those that nobody has answered or revoked, also expired ones. Owners and managers only.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(InvitationSchema), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const { id: accountId } = request.params;
      await getManagedOrganization(database.client, requireAuthenticatedUser(request).id, accountId);
      const rows = await listPendingInvitations(database.client, accountId);
      const page = parseListPage(request, NEWEST_FIRST);
      return toListPage(page, selectListRange(page, rows), (row) => toInvitationView(fieldCipher, row));
    },
  );

  app.get(
    '/:id/invitations/:invitationId',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.getInvitation',
        tags: ['Organizations'],
        summary: 'Get an invitation of an organization',
        description: `Owners and managers only. One that was answered or revoked is deleted ${formatLifetime('expiredInvitation')} after its expiry.`,
        params: InvitationParams,
        response: { 200: schemaRef(InvitationSchema), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const { id: accountId, invitationId: id } = request.params;
      const { id: userId } = requireAuthenticatedUser(request);
      return toInvitationView(
        fieldCipher,
        await getManagedInvitation(database.client, userId, { accountId, id }),
      );
    },
  );

  app.post(
    '/:id/invitations/:invitationId/resend',
    {
      config: {
        access: allowUsersWithProfile('account:manage'),
        audit: auditAs('INVITATION_RESENT'),
        storesResponse: true,
      },
      schema: {
        operationId: 'organizations.resendInvitation',
        tags: ['Organizations'],
        summary: 'Send a pending invitation again',
        description: `With a new link, which replaces the earlier one, in your name. Up to ${MAX_RESENDS_PER_DAY} a day.`,
        params: InvitationParams,
        response: { 200: schemaRef(InvitationSchema), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request) => {
      const { id: accountId, invitationId: id } = request.params;
      const user = requireAuthenticatedUser(request);
      const row = await resendInvitation(services, getRequestContext(request), user, { accountId, id });
      return toInvitationView(fieldCipher, row);
    },
  );

  app.delete(
    '/:id/invitations/:invitationId',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('INVITATION_REVOKED') },
      schema: {
        operationId: 'organizations.revokeInvitation',
        tags: ['Organizations'],
        summary: 'Revoke a pending invitation',
        description: 'Its link stops working. 409 INVITATION_ENDED once it was answered.',
        params: InvitationParams,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request) => {
      const { id: accountId, invitationId: id } = request.params;
      const user = requireAuthenticatedUser(request);
      await revokeInvitation(services, getRequestContext(request), user, { accountId, id });
      return { id, deleted: true as const };
    },
  );
};
