import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { recordFailedRequestAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  createLinkAuthorization,
  formatExpiredSignInCookie,
  formatSignInCookie,
  linkAuthorizedIdentity,
  parseSignInCookie,
  toSignInErrorCode,
} from '../../identity/index.ts';
import { isFromOtherSite } from '../from-other-site.ts';
import { isSecure, type OwnerPageServices } from '../owner-page-services.ts';
import { ACCOUNT_ACCESS, AccountParams, getSettingsPath, SETTINGS_PAGE_CONFIG } from './settings-page.ts';

/** As the redirect of the provider has it. */
const AuthorizationQuery = Type.Object({
  code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
});

/** Begin to link an identity: to the provider and, by its redirect, to the route below. */
export const beginIdentityLinkPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const secure = isSecure(services);

  app.get(
    '/security/identities/link',
    {
      // A link preview must not begin it.
      exposeHeadRoute: false,
      config: SETTINGS_PAGE_CONFIG,
      schema: { hide: true, params: AccountParams },
    },
    async (request, reply) => {
      const path = `${getSettingsPath(services, request)}/security`;
      // Login CSRF: another site could link whatever account is signed in at the provider.
      if (isFromOtherSite(request)) return reply.redirect(path, 303);
      try {
        const { url, cookie, binding } = await createLinkAuthorization(
          services,
          requireAuthenticatedUser(request),
        );
        return reply
          .header('Set-Cookie', formatSignInCookie('attempt', cookie, secure))
          .header('Set-Cookie', formatSignInCookie('link', binding, secure))
          .redirect(url, 303);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'PROVIDER_UNAVAILABLE') throw error;
        return reply.redirect(`${path}?link=provider_unavailable`, 303);
      }
    },
  );
};

/** Link the identity that the provider confirmed, and return to the settings. */
export const identityLinkPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const secure = isSecure(services);

  app.get(
    '/link-identity',
    {
      exposeHeadRoute: false,
      config: { access: ACCOUNT_ACCESS, audit: auditAs('IDENTITY_LINKED'), rateLimitClass: 'auth' },
      schema: { hide: true, querystring: AuthorizationQuery },
    },
    async (request, reply) => {
      const { code, state, iss, error } = request.query;
      const { cookie: cookies } = request.headers;
      const path = `${getSettingsPath(services, request)}/security`;
      reply
        .header('Set-Cookie', formatExpiredSignInCookie('attempt', secure))
        .header('Set-Cookie', formatExpiredSignInCookie('link', secure));
      try {
        await linkAuthorizedIdentity(
          services,
          getRequestContext(request),
          requireAuthenticatedUser(request),
          {
            redirect: { code, state, iss, error },
            cookie: parseSignInCookie('attempt', cookies, secure),
            binding: parseSignInCookie('link', cookies, secure),
          },
        );
      } catch (refusal) {
        if (!(refusal instanceof ServiceError)) throw refusal;
        if (refusal.code === 'REAUTHENTICATION_REQUIRED')
          await recordFailedRequestAuditEntry(services.database, request, refusal);
        return reply.redirect(`${path}?link=${toSignInErrorCode(refusal)}`, 303);
      }
      return reply.redirect(`${path}?done=linked`, 303);
    },
  );
};
