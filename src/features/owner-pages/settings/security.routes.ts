import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { listOwnerPhones, removeOwnerPhone } from '../../codes/index.ts';
import {
  changePassword,
  findNewPasswordErrors,
  findSecondFactorState,
  listActiveUserSessions,
  listUserIdentities,
  PasswordChangeRequest,
  revokeSession,
  type SignInErrorCode,
  unlinkIdentity,
} from '../../identity/index.ts';
import { setRenewedAccess } from '../begin-session.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { renderSecurity } from './security-page.ts';
import {
  ACCOUNT_ACCESS,
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  hasPassword,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const PasswordForm = Type.Object({
  currentPassword: Type.Optional(Type.String()),
  newPassword: Type.Optional(Type.String()),
});

const MAX_LISTED = { skip: 0, take: 100 };

const ALL_SESSIONS = { skip: 0, take: 10_000 };

/** Why an identity was not linked, by its name in the address. */
const LINK_REFUSALS = {
  access_denied: 'app.settings.identities.denied',
  email_not_verified: 'app.settings.identities.unverified',
  identity_conflict: 'app.settings.identities.conflict',
  provider_unavailable: 'app.settings.identities.unavailable',
  sign_in_failed: 'app.settings.identities.failed',
  account_suspended: 'app.settings.identities.failed',
  not_configured: 'app.settings.identities.failed',
  try_again: 'app.settings.identities.failed',
} as const satisfies Record<SignInErrorCode, MessageKey>;

const findSchemaErrors = createBodyValidator(PasswordChangeRequest);

/** What protects an account: password, second factor, linked identities and sessions. */
export const securityPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => `${getSettingsPath(services, request)}/security`;

  app.get(
    '/security',
    {
      config: SETTINGS_PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ link: Type.Optional(Type.String()), done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const refusal = findLinkRefusal(request.query.link);
      return sendSecurityPage(
        request,
        reply,
        refusal && { refusal: t(chooseOwnerPageLocale(request), refusal) },
      );
    },
  );

  app.post(
    '/security/password',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('PASSWORD_CHANGED'), rateLimitClass: 'auth' },
      schema: { hide: true, params: AccountParams, body: PasswordForm },
    },
    async (request, reply) => {
      const { currentPassword = '', newPassword = '' } = request.body;
      const user = requireAuthenticatedUser(request);
      const input = { currentPassword, newPassword };
      const missing = (['currentPassword', 'newPassword'] as const).filter((name) => input[name] === '');
      const errors = [
        ...missing.map((field) => ({ field, code: 'REQUIRED', message: '' })),
        ...(missing.length === 0 ? findSchemaErrors({ ...input }) : []),
        ...(newPassword === '' ? [] : await findNewPasswordErrors(newPassword, user.email)),
      ];
      if (errors.length > 0) return sendSecurityPage(request, reply, { errors });
      try {
        const renewed = await changePassword(services, getRequestContext(request), user, input);
        setRenewedAccess(services, reply, renewed);
      } catch (error) {
        const wrong = { field: 'currentPassword', code: 'WRONG_PASSWORD' };
        const locale = chooseOwnerPageLocale(request);
        const refused = describeRefusal(error, reply, locale, { CREDENTIALS_INVALID: wrong });
        return sendSecurityPage(request, reply, refused);
      }
      return redirectWithDone(reply, getPath(request), 'password');
    },
  );

  app.post(
    '/security/sessions/:sessionId/end',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('SESSION_REVOKED') },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'sessionId'), body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      await revokeSession(database, getRequestContext(request), user, request.params.sessionId);
      return redirectWithDone(reply, getPath(request), 'session-ended');
    },
  );

  app.post(
    '/security/sessions/end-others',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('SESSION_REVOKED') },
      schema: { hide: true, params: AccountParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const { rows } = await listActiveUserSessions(database.client, user.id, ALL_SESSIONS);
      for (const { id } of rows) {
        if (id === user.sessionId) continue;
        await revokeSession(database, context, user, id).catch((error: unknown) => {
          // It has ended meanwhile.
          if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error;
        });
      }
      return redirectWithDone(reply, getPath(request), 'other-sessions-ended');
    },
  );

  app.post(
    '/security/identities/:identityId/unlink',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('IDENTITY_UNLINKED') },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'identityId'), body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      try {
        await unlinkIdentity(services, getRequestContext(request), user, request.params.identityId);
      } catch (error) {
        const text = t(chooseOwnerPageLocale(request), 'app.settings.identities.last');
        const refused = describeRefusal(
          error,
          reply,
          chooseOwnerPageLocale(request),
          {},
          { LAST_SIGN_IN_METHOD: text },
        );
        return sendSecurityPage(request, reply, refused);
      }
      return redirectWithDone(reply, getPath(request), 'unlinked');
    },
  );

  app.post(
    '/security/own-phones/:phoneId/remove',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('OWNER_PHONE_REMOVED') },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'phoneId'), body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId, phoneId: id } = request.params;
      await removeOwnerPhone(database, getRequestContext(request), { accountId, id });
      return redirectWithDone(reply, getPath(request), 'phone-removed');
    },
  );

  async function sendSecurityPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const [withPassword, secondFactor, identities, sessions, phones] = await Promise.all([
      hasPassword(services, request),
      findSecondFactorState(database.client, user.id),
      listUserIdentities(database.client, user.id, MAX_LISTED),
      listActiveUserSessions(database.client, user.id, MAX_LISTED),
      listOwnerPhones(database.forAccount(user.id).client, user.id, { ...MAX_LISTED, after: null }),
    ]);
    return sendSettingsPage(services, request, reply, {
      tab: 'security',
      refused,
      body: renderSecurity({
        request,
        locale: chooseOwnerPageLocale(request),
        path: getPath(request),
        forgotPasswordPath: `${getOwnerPagesPath(services)}/forgot-password`,
        token: getFormToken(services, request, reply),
        user,
        errors: refused.errors ?? [],
        withPassword,
        secondFactor,
        identities: identities.rows,
        providerIssuer: services.identityProvider?.issuer ?? null,
        sessions: sessions.rows,
        phones: phones.rows,
      }),
    });
  }
};

function findLinkRefusal(name: string | undefined) {
  return isKeyOf(LINK_REFUSALS, name) ? LINK_REFUSALS[name] : undefined;
}
