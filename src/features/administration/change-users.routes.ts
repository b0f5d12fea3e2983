import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import { Deleted, Done, idParams, ref } from '../../shared/common.schemas.ts';
import { AdminUser, AdminUserChange } from './administration.schemas.ts';
import { adminUserView } from './administration.views.ts';
import type { AdministrationServices } from './administration-services.ts';
import { changePerson, logOutPerson } from './change-person.ts';
import { removeSecondFactor } from './remove-second-factor.ts';
import { resendActivation } from './resend-activation.ts';

/** What administrators do with people. */
export const changeUsersRoutes: FastifyPluginAsyncTypebox<AdministrationServices> = async (app, services) => {
  app.patch(
    '/users/:id',
    {
      config: { access: account('admin:change-users'), audit: audited('ROLE_CHANGED') },
      schema: {
        operationId: 'admin.changeUser',
        tags: ['Administration'],
        summary: "Change a person's role, suspend or restore them, switch enterprise mode.",
        description:
          'Counts from their next request on. SUSPENDED ends their sessions; ACTIVE gives back the status from before. The last administrator keeps role and account.',
        params: idParams('id'),
        body: AdminUserChange,
        response: { 200: ref(AdminUser), ...problems(409) },
      },
    },
    async (request) =>
      adminUserView(await changePerson(services, callerOf(request), request.params.id, request.body)),
  );

  app.delete(
    '/users/:id/sessions',
    {
      config: { access: account('admin:change-users'), audit: audited('USER_SESSIONS_ENDED') },
      schema: {
        operationId: 'admin.endSessions',
        tags: ['Administration'],
        summary: 'End all sessions of a person at once.',
        params: idParams('id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await logOutPerson(services, callerOf(request), id);
      return { id, deleted: true as const };
    },
  );

  app.delete(
    '/users/:id/second-factor',
    {
      config: { access: account('admin:change-users'), audit: audited('MFA_REMOVED') },
      schema: {
        operationId: 'admin.removeSecondFactor',
        tags: ['Administration'],
        summary: 'Take the second factor off a person who lost phone and recovery codes.',
        description:
          'Ends their sessions and tells them by mail. Make sure who asks. Where their account is in enterprise mode, the next log-in leads to a new one. The own second factor needs a code, or another administrator.',
        params: idParams('id'),
        response: { 200: ref(Deleted), ...problems(409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await removeSecondFactor(services, callerOf(request), id);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/users/:id/resend-activation',
    {
      config: { access: account('admin:change-users'), audit: audited('ACTIVATION_RESENT') },
      schema: {
        operationId: 'admin.resendActivation',
        tags: ['Administration'],
        summary: 'Mail a new code to somebody who has not confirmed their address.',
        description: 'Three mails in a quarter of an hour go to an address, whoever asks for them.',
        params: idParams('id'),
        response: { 200: ref(Done), ...problems(409) },
      },
    },
    async (request) => {
      await resendActivation(services, callerOf(request), request.params.id);
      return { done: true as const };
    },
  );
};
