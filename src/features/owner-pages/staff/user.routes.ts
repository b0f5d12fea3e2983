import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { hasRolePermission, USER_ROLES } from '../../../permissions.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext, type RequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import {
  endUserSessions,
  readMailStatus,
  removeUserSecondFactor,
  resendEmailVerificationOtp,
  toAdminUserView,
  updateUserAsAdministrator,
} from '../../administration/index.ts';
import { renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { renderMailStatus } from './mail-status.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { renderUserActions } from './user-actions.ts';
import { renderUserFacts } from './user-facts.ts';

const UserParams = createIdParamsSchema('userId');

const READ_AUDIT = auditAs('SUPPORT_MAIL_STATUS_READ');

const CHANGE_ACCESS = allowByCookie(allowUsers('admin:change-users'));

const DONE_MESSAGES = {
  suspended: 'app.staff.users.done.suspended',
  restored: 'app.staff.users.done.restored',
  role: 'app.staff.users.done.role',
  enterprise: 'app.staff.users.done.enterprise',
  sessions: 'app.staff.users.done.sessions',
  'second-factor': 'app.staff.users.done.secondFactor',
  activation: 'app.staff.users.done.activation',
} as const satisfies Record<string, MessageKey>;

type DoneName = keyof typeof DONE_MESSAGES;

type UserRequest = FastifyRequest<{ Params: { userId: string } }>;

/** The page of a user for support and administrators: why emails do not arrive, and what can be changed. */
export const userStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/staff/users/:userId',
    {
      config: {
        access: allowByCookie(allowUsers('support:mail-status')),
        audit: READ_AUDIT,
        rateLimitClass: 'page',
      },
      schema: {
        hide: true,
        params: UserParams,
        querystring: Type.Object({ done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => sendUser(request, reply, request.query.done),
  );

  app.post(
    '/staff/users/:userId/status',
    {
      config: { access: CHANGE_ACCESS, audit: auditAs('ROLE_CHANGED') },
      schema: {
        hide: true,
        params: UserParams,
        body: Type.Object({ status: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const status = request.body.status === 'SUSPENDED' ? 'SUSPENDED' : 'ACTIVE';
      return change(request, reply, status === 'SUSPENDED' ? 'suspended' : 'restored', (context, id) =>
        updateUserAsAdministrator(services, context, id, { status }),
      );
    },
  );

  app.post(
    '/staff/users/:userId/role',
    {
      config: { access: CHANGE_ACCESS, audit: auditAs('ROLE_CHANGED') },
      schema: { hide: true, params: UserParams, body: Type.Object({ role: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const role = USER_ROLES.find((name) => name === request.body.role);
      return change(request, reply, 'role', (context, id) =>
        updateUserAsAdministrator(services, context, id, { role }),
      );
    },
  );

  app.post(
    '/staff/users/:userId/enterprise',
    {
      config: { access: CHANGE_ACCESS, audit: auditAs('ROLE_CHANGED') },
      schema: { hide: true, params: UserParams, body: Type.Object({ on: Type.Optional(Type.String()) }) },
    },
    async (request, reply) =>
      change(request, reply, 'enterprise', (context, id) =>
        updateUserAsAdministrator(services, context, id, { enterpriseMode: request.body.on === 'yes' }),
      ),
  );

  app.post(
    '/staff/users/:userId/sessions',
    {
      config: { access: CHANGE_ACCESS, audit: auditAs('USER_SESSIONS_ENDED') },
      schema: { hide: true, params: UserParams },
    },
    async (request, reply) =>
      change(request, reply, 'sessions', (context, id) => endUserSessions(services, context, id)),
  );

  app.post(
    '/staff/users/:userId/second-factor',
    {
      config: { access: CHANGE_ACCESS, audit: auditAs('MFA_REMOVED') },
      schema: { hide: true, params: UserParams },
    },
    async (request, reply) =>
      change(request, reply, 'second-factor', (context, id) => removeUserSecondFactor(services, context, id)),
  );

  app.post(
    '/staff/users/:userId/activation',
    {
      config: { access: CHANGE_ACCESS, audit: auditAs('ACTIVATION_RESENT') },
      schema: { hide: true, params: UserParams },
    },
    async (request, reply) =>
      change(request, reply, 'activation', (context, id) =>
        resendEmailVerificationOtp(services, context, id),
      ),
  );

  /** Change a user, and lead to their page with the result; a refusal is shown there. */
  async function change(
    request: UserRequest,
    reply: FastifyReply,
    done: DoneName,
    run: (context: RequestContext, id: string) => Promise<unknown>,
  ): Promise<FastifyReply> {
    const { userId } = request.params;
    const locale = chooseOwnerPageLocale(request);
    try {
      await run(getRequestContext(request), userId);
    } catch (error) {
      const refusal = translateRefusal(error, reply, locale, {
        LAST_ADMINISTRATOR: t(locale, 'app.staff.users.refused.lastAdministrator'),
        USER_NOT_VERIFIED: t(locale, 'app.staff.users.refused.notVerified'),
        ENFORCED_GLOBALLY: t(locale, 'app.staff.users.refused.enforced'),
        MFA_NOT_ENABLED: t(locale, 'app.staff.users.refused.noSecondFactor'),
        EMAIL_ALREADY_VERIFIED: t(locale, 'app.staff.users.refused.alreadyVerified'),
        RATE_LIMITED: t(locale, 'app.staff.users.refused.tooManyMails'),
      });
      return sendUser(request, reply, undefined, refusal);
    }
    return reply.redirect(`${getStaffEntryPath(services, 'users')}/${userId}?done=${done}`, 303);
  }

  async function sendUser(
    request: UserRequest,
    reply: FastifyReply,
    done: string | undefined,
    refusal?: { status: number; text: string },
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const reader = requireAuthenticatedUser(request);
    const { userId } = request.params;
    // Also where a change was refused: the page shows the user again.
    const context = { ...getRequestContext(request), audit: READ_AUDIT };
    const { row, view } = await readMailStatus(services, context, userId);
    const path = `${getStaffEntryPath(services, 'users')}/${userId}`;
    const canChange = hasRolePermission(reader.role, 'admin:change-users');
    const seesAll = hasRolePermission(reader.role, 'admin:users');
    const jobsPath = hasRolePermission(reader.role, 'admin:jobs')
      ? getStaffEntryPath(services, 'jobs')
      : null;
    const note = refusal
      ? renderNote(refusal.text, 'wrong')
      : isKeyOf(DONE_MESSAGES, done) && renderNote(t(locale, DONE_MESSAGES[done]));
    return sendStaffPage(services, request, reply, {
      title: view.user.email,
      tabTitle: t(locale, 'app.staff.users.user'),
      entry: seesAll ? 'users' : 'find',
      status: refusal?.status ?? 200,
      body: html`${note}
${renderUserFacts(seesAll ? toAdminUserView(row) : view.user, { reader, locale })}
${renderMailStatus(view, jobsPath, { user: reader, locale })}
${canChange && renderUserActions(toAdminUserView(row), { path, token: getFormToken(services, request, reply), isOwn: userId === reader.id, locale })}`,
    });
  }
};
