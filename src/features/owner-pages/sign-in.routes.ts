import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { clearBrowserCache } from '../../platform/http/security-headers.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowAnyoneOrUsers,
  allowBeforeMfaEnrollment,
  allowByCookie,
  auditAs,
  skipAudit,
} from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { t } from '../../shared/i18n/translate.ts';
import { isKeyOf } from '../../shared/is-key-of.ts';
import {
  completeSecondFactor,
  createAuthorization,
  exchangeSignInCode,
  findUser,
  formatExpiredSignInCookie,
  formatSignInCookie,
  logIn,
  logOut,
  parseSignInCookie,
} from '../identity/index.ts';
import {
  beginSession,
  continueSignIn,
  expireCookies,
  readDeviceToken,
  readSignInStep,
} from './begin-session.ts';
import { parseDigits } from './digits.rules.ts';
import { parseSignInTarget, takeDraftCookie } from './draft.ts';
import { isFromOtherSite } from './from-other-site.ts';
import { chooseOwnerPageLocale, withLanguage } from './layout.ts';
import {
  getAccountPath,
  getOwnerPagesPath,
  isSecure,
  type OwnerPageServices,
} from './owner-page-services.ts';
import { SIGN_IN_REASONS, type SignInReason, sendSecondFactorPage, sendSignInPage } from './sign-in-page.ts';
import { parseTarget } from './target.rules.ts';
import { translateRefusal } from './translate-refusal.ts';

/** Anyone; a session is read if there is one. */
export const SIGNED_OUT_ACCESS = allowBeforeMfaEnrollment(
  allowByCookie(allowAnyoneOrUsers('account:manage')),
);

const SignInQuery = Type.Object({
  to: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  lang: Type.Optional(Type.String()),
});

const TARGET_FIELDS = { to: Type.Optional(Type.String()), draft: Type.Optional(Type.String()) };

const SignInForm = Type.Object({
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  ...TARGET_FIELDS,
});

const SecondFactorForm = Type.Object({
  code: Type.Optional(Type.String()),
  recoveryCode: Type.Optional(Type.String()),
  switch: Type.Optional(Type.String()),
  ...TARGET_FIELDS,
});

const PROVIDER_ERROR_REASONS: Readonly<Record<string, SignInReason>> = {
  access_denied: 'provider-denied',
  email_not_verified: 'provider-unverified',
  identity_conflict: 'provider-conflict',
  account_suspended: 'suspended',
  provider_unavailable: 'provider-unavailable',
  not_configured: 'provider-unavailable',
  try_again: 'provider-unavailable',
};

const UNAVAILABLE = '';

/** Signing in and out of the pages for owners. */
export const signInPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const pagesPath = getOwnerPagesPath(services);
  const secure = isSecure(services);

  app.get(
    '/sign-in',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: SignInQuery },
    },
    async (request, reply) => {
      const { to = readTargetCookie(request), reason: name, error } = request.query;
      const target = parseTarget(to, pagesPath);
      const isForced = name === 'again' || name === 'invitation';
      if (request.user && !isForced && error === undefined)
        return reply.redirect(target ?? getAccountPath(services, request.user.id), 303);
      const reason = error === undefined ? findReason(name) : findProviderReason(error);
      return sendSignInPage(services, request, reply, { reason, target });
    },
  );

  app.post(
    '/sign-in',
    {
      config: {
        access: SIGNED_OUT_ACCESS,
        audit: auditAs('LOGIN_SUCCEEDED'),
        rateLimitClass: 'auth',
        requiresPasswordHashing: true,
      },
      schema: { hide: true, body: SignInForm },
    },
    async (request, reply) => {
      const { email = '', password = '' } = request.body;
      const to = parseSignInTarget(services, request.body);
      try {
        const deviceToken = readDeviceToken(services, request);
        const login = await logIn(services, getRequestContext(request), { email, password, deviceToken });
        return await continueSignIn(services, request, reply, login, to);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const { status, text: refusal } = translateRefusal(error, reply, locale, {
          CREDENTIALS_INVALID: t(locale, 'signIn.refused'),
        });
        return sendSignInPage(services, request, reply, { ...to, email, status, refusal });
      }
    },
  );

  app.get(
    '/sign-in/second-factor',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: SignInQuery },
    },
    async (request, reply) => {
      const target = parseTarget(request.query.to, pagesPath);
      if (readSignInStep(services, request) !== undefined)
        return sendSecondFactorPage(services, request, reply, { target, draft: null });
      return reply.redirect(withLanguage(`${pagesPath}/sign-in`, request), 303);
    },
  );

  app.post(
    '/sign-in/second-factor',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: auditAs('MFA_VERIFIED'), rateLimitClass: 'auth' },
      schema: { hide: true, body: SecondFactorForm },
    },
    async (request, reply) => {
      const { code = '', recoveryCode, switch: otherWay } = request.body;
      const to = parseSignInTarget(services, request.body);
      const isRecovery = (otherWay ?? (recoveryCode === undefined ? 'code' : 'recovery')) === 'recovery';
      if (otherWay !== undefined)
        return sendSecondFactorPage(services, request, reply, { ...to, isRecovery });
      try {
        const login = await completeSecondFactor(services, getRequestContext(request), {
          mfaToken: readSignInStep(services, request) ?? '',
          deviceToken: readDeviceToken(services, request),
          proof: recoveryCode === undefined ? { code: parseDigits(code) } : { recoveryCode },
        });
        return await beginSession(services, request, reply, login, to);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        if (error instanceof ServiceError && error.code === 'MFA_TOKEN_INVALID')
          return sendSignInPage(services, request, reply, { ...to, status: 401, reason: 'step-expired' });
        const { status, text: refusal } = translateRefusal(error, reply, locale, {
          MFA_CODE_INVALID: t(locale, 'secondFactor.wrong'),
        });
        return sendSecondFactorPage(services, request, reply, { ...to, isRecovery, status, refusal });
      }
    },
  );

  app.get(
    '/sign-in/provider',
    {
      // A link preview must not begin a sign-in.
      exposeHeadRoute: false,
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: SignInQuery },
    },
    async (request, reply) => {
      const { to, lang } = request.query;
      const query = new URLSearchParams({ ...(to && { to }), ...(lang && { lang }) });
      // Another site would sign somebody in, and out of the account that they are in; and who has a password proves it.
      if (isFromOtherSite(request) || (await hasPassword(request)))
        return reply.redirect(`${pagesPath}/sign-in?${query}`, 303);
      const { url, cookie } = await createAuthorization(services).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.code !== 'PROVIDER_UNAVAILABLE') throw error;
        return { url: UNAVAILABLE, cookie: null };
      });
      if (url === UNAVAILABLE) {
        query.set('error', 'provider_unavailable');
        return reply.redirect(`${pagesPath}/sign-in?${query}`, 303);
      }
      if (url === null || cookie === null) throw new ServiceError('NOT_FOUND');
      const target = parseTarget(to, pagesPath) ?? '';
      if (parseSignInCookie('link', request.headers.cookie, secure) !== undefined)
        reply.header('Set-Cookie', formatExpiredSignInCookie('link', secure));
      return reply
        .header('Set-Cookie', formatSignInCookie('attempt', cookie, secure))
        .header('Set-Cookie', formatSignInCookie('target', encodeURIComponent(target), secure))
        .redirect(url, 303);
    },
  );

  app.get(
    '/sign-in/provider/done',
    {
      exposeHeadRoute: false,
      config: {
        access: SIGNED_OUT_ACCESS,
        audit: auditAs('IDENTITY_LOGIN_SUCCEEDED'),
        rateLimitClass: 'auth',
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const { cookie: cookies } = request.headers;
      const [code = '', binding] = (parseSignInCookie('pageCode', cookies, secure) ?? '').split('.');
      const to = readTargetCookie(request);
      const draft = takeDraftCookie(services, request, reply);
      reply
        .header('Set-Cookie', formatExpiredSignInCookie('pageCode', secure))
        .header('Set-Cookie', formatExpiredSignInCookie('target', secure));
      try {
        const login = await exchangeSignInCode(services, getRequestContext(request), {
          code,
          cookie: binding,
        });
        const target = parseTarget(to, pagesPath);
        return await continueSignIn(services, request, reply, login, { target, draft });
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'SIGN_IN_INVALID') throw error;
        return sendSignInPage(services, request, reply, { status: 401, reason: 'provider-failed' });
      }
    },
  );

  app.post(
    '/sign-out',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: auditAs('LOGOUT') },
      schema: { hide: true, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { user } = request;
      if (user) await logOut(services.database, getRequestContext(request), user.id, user.sessionId);
      expireCookies(services, reply);
      clearBrowserCache(reply);
      return reply.redirect(`${pagesPath}/sign-in?reason=signed-out`, 303);
    },
  );

  /** Where a sign-in with the provider leads to; anybody can have set it. */
  function readTargetCookie({ headers }: FastifyRequest): string {
    try {
      return decodeURIComponent(parseSignInCookie('target', headers.cookie, secure) ?? '');
    } catch {
      return '';
    }
  }

  async function hasPassword({ user }: FastifyRequest): Promise<boolean> {
    const row = user && (await findUser(services.database.client, user.id));
    return row?.passwordHash != null;
  }
};

function findReason(name: string | undefined): SignInReason | undefined {
  return isKeyOf(SIGN_IN_REASONS, name) ? name : undefined;
}

function findProviderReason(error: string): SignInReason {
  return (Object.hasOwn(PROVIDER_ERROR_REASONS, error) && PROVIDER_ERROR_REASONS[error]) || 'provider-failed';
}
