import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createProblemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParams, DeletedResponse, DoneResponse, schemaRef } from '../../shared/common.schemas.ts';
import { AdminUser, AdminUserUpdateRequest } from './administration.schemas.ts';
import { toAdminUserView } from './administration.views.ts';
import type { AdministrationServices } from './administration-services.ts';
import { removeUserSecondFactor } from './remove-second-factor.ts';
import { resendActivation } from './resend-activation.ts';
import { endUserSessions, updateUser } from './update-user.ts';

/** Routes of administrators that change users. */
export const adminUserRoutes: FastifyPluginAsyncTypebox<AdministrationServices> = async (app, services) => {
  app.patch(
    '/users/:id',
    {
      config: { access: allowUsers('admin:change-users'), audit: auditAs('ROLE_CHANGED') },
      schema: {
        operationId: 'admin.changeUser',
        tags: ['Administration'],
        summary: "Change a person's role, suspend or restore them, switch enterprise mode.",
        description:
          'Counts from their next request on. SUSPENDED ends their sessions; ACTIVE gives back the status from before. The last administrator keeps role and account.',
        params: createIdParams('id'),
        body: AdminUserUpdateRequest,
        response: { 200: schemaRef(AdminUser), ...createProblemResponses(409) },
      },
    },
    async (request) =>
      toAdminUserView(
        await updateUser(services, getRequestContext(request), request.params.id, request.body),
      ),
  );

  app.delete(
    '/users/:id/sessions',
    {
      config: { access: allowUsers('admin:change-users'), audit: auditAs('USER_SESSIONS_ENDED') },
      schema: {
        operationId: 'admin.endSessions',
        tags: ['Administration'],
        summary: 'End all sessions of a person at once.',
        params: createIdParams('id'),
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
        summary: 'Take the second factor off a person who lost phone and recovery codes.',
        description:
          'Ends their sessions and tells them by mail. Make sure who asks. Where their account is in enterprise mode, the next log-in leads to a new one. The own second factor needs a code, or another administrator.',
        params: createIdParams('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponses(409) },
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
      config: { access: allowUsers('admin:change-users'), audit: auditAs('ACTIVATION_RESENT') },
      schema: {
        operationId: 'admin.resendActivation',
        tags: ['Administration'],
        summary: 'Mail a new code to somebody who has not confirmed their address.',
        description: 'Three mails in a quarter of an hour go to an address, whoever asks for them.',
        params: createIdParams('id'),
        response: { 200: schemaRef(DoneResponse), ...createProblemResponses(409) },
      },
    },
    async (request) => {
      await resendActivation(services, getRequestContext(request), request.params.id);
      return { done: true as const };
    },
  );
};
