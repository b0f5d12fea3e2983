import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getVisibleRows, parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  DoneResponse,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema } from '../../shared/pagination.ts';
import { AdminUser, AdminUserQuery, AdminUserUpdateRequest } from './administration.schemas.ts';
import { toAdminUserView } from './administration.views.ts';
import type { AdministrationServices } from './administration-services.ts';
import { listUsers } from './all-users.repository.ts';
import { recordUserAccess } from './record-user-access.ts';
import { removeUserSecondFactor } from './remove-second-factor.use-case.ts';
import { resendEmailVerificationOtp } from './resend-activation.use-case.ts';
import { endUserSessions, updateUserAsAdministrator } from './update-user.use-case.ts';

/** Routes of administrators for users. */
export const adminUserRoutes: FastifyPluginAsyncTypebox<AdministrationServices> = async (app, services) => {
  app.get(
    '/users',
    {
      config: {
        access: allowUsers('admin:users'),
        audit: auditAs('ADMIN_USERS_LISTED'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'admin.listUsers',
        tags: ['Administration'],
        summary: 'List users, newest first',
        description:
          'Search by address or name. Each read is audited; with at most ten users, each of them sees it in their own trail.',
        querystring: AdminUserQuery,
        response: { 200: createPageSchema(AdminUser) },
      },
    },
    async (request) => {
      const { search, role: roles, status: statuses } = request.query;
      const page = parseListPage(request, NEWEST_FIRST);
      const { database } = services;
      const list = await listUsers(database.client, { search, roles, statuses }, page);
      const userIds = getVisibleRows(page, list).map(({ id }) => id);
      await recordUserAccess(database, getRequestContext(request), userIds);
      return toListPage(page, list, toAdminUserView);
    },
  );

  app.patch(
    '/users/:id',
    {
      config: { access: allowUsers('admin:change-users'), audit: auditAs('ROLE_CHANGED') },
      schema: {
        operationId: 'admin.patchUser',
        tags: ['Administration'],
        summary: 'Change role, status or enterprise mode of a user',
        description:
          'Takes effect with the next request of the user. SUSPENDED ends all sessions; ACTIVE restores the previous status. The last administrator cannot be demoted or suspended.',
        params: createIdParamsSchema('id'),
        body: AdminUserUpdateRequest,
        response: { 200: schemaRef(AdminUser), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) =>
      toAdminUserView(
        await updateUserAsAdministrator(
          services,
          getRequestContext(request),
          request.params.id,
          request.body,
        ),
      ),
  );

  app.delete(
    '/users/:id/sessions',
    {
      config: { access: allowUsers('admin:change-users'), audit: auditAs('USER_SESSIONS_ENDED') },
      schema: {
        operationId: 'admin.endSessions',
        tags: ['Administration'],
        summary: 'End all sessions of a user',
        description:
          'The user has to log in again on every device. The account stays active: suspend it to prevent that.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await endUserSessions(services, getRequestContext(request), id);
      return { id, deleted: true as const };
    },
  );

  app.delete(
    '/users/:id/second-factor',
    {
      config: { access: allowUsers('admin:change-users'), audit: auditAs('MFA_REMOVED') },
      schema: {
        operationId: 'admin.removeSecondFactor',
        tags: ['Administration'],
        summary: 'Remove the second factor of a user who lost phone and recovery codes',
        description:
          'Ends all sessions and notifies the user by email. Verify the identity of the user first. In enterprise mode the next login requires a new second factor. Administrators cannot remove their own.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await removeUserSecondFactor(services, getRequestContext(request), id);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/users/:id/resend-activation',
    {
      config: {
        access: allowUsers('admin:change-users'),
        audit: auditAs('ACTIVATION_RESENT'),
        storesResponse: true,
      },
      schema: {
        operationId: 'admin.resendActivation',
        tags: ['Administration'],
        summary: 'Email a new verification code to a user',
        description: 'At most three emails per address in 15 minutes.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DoneResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      await resendEmailVerificationOtp(services, getRequestContext(request), request.params.id);
      return { done: true as const };
    },
  );
};
