import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { logServiceError, toServiceError } from '../../../platform/http/problem-details.ts';
import { sendServicePage } from '../../../platform/http/service-page.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { schemaRef } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { createLogInResponse } from '../accounts/tokens.view.ts';
import { LogInResponse } from '../second-factor/second-factor.schemas.ts';
import { completeSignInAuthorization } from './complete-authorization.use-case.ts';
import {
  IdTokenSignInRequest,
  SignInCallbackQuery,
  SignInCodeExchangeRequest,
  SignInStartQuery,
  SignInStartResponse,
} from './identities.schemas.ts';
import type { IdentityServices } from './identity-services.ts';
import { formatExpiredSignInCookie, formatSignInCookie, parseSignInCookie } from './sign-in-cookie.ts';
import { mapIdentityProviderError, toSignInErrorCode } from './sign-in-errors.ts';
import { createSignInCodeCookieValue, createSignInState, deriveSignInAttempt } from './sign-in-state.ts';
import { exchangeSignInCode, signInWithIdToken } from './sign-in-with-provider.use-case.ts';

export const signInRoutes: FastifyPluginAsyncTypebox<IdentityServices> = async (app, services) => {
  const { fieldCipher, identityProvider, publicBaseUrl, frontendUrl } = services;
  const secure = publicBaseUrl.startsWith('https:');
  const redirectUri = `${publicBaseUrl}/api/auth/google/callback`;

  app.get(
    '/google',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'accounts.beginSignIn',
        tags: ['Accounts'],
        summary: 'Start a sign-in with the identity provider; browsers are redirected',
        description:
          'Returns the URL to open at the provider. Without `codeChallenge` cookies bind the sign-in to this browser until the exchange. Clients on another origin do not receive these cookies and must send a `codeChallenge`.',
        querystring: SignInStartQuery,
        response: {
          200: {
            description: 'URL of the identity provider.',
            content: {
              'application/json': { schema: schemaRef(SignInStartResponse) },
              'text/html': { schema: { type: 'string' } },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { state, cookie } = createSignInState(fieldCipher, request.query.codeChallenge);
      const authorizationUrl = await createAuthorizationUrl(state);
      if (authorizationUrl && cookie)
        reply.header('Set-Cookie', formatSignInCookie('attempt', cookie, secure));
      if (request.headers.accept?.includes('text/html'))
        return sendProviderRedirectPage(reply, authorizationUrl);
      const configured = identityProvider !== null && !identityProvider.isEmulator;
      return reply.type('application/json; charset=utf-8').send({ configured, authorizationUrl });
    },
  );

  app.get(
    '/google/callback',
    {
      // A HEAD request of a link preview must not consume the response.
      exposeHeadRoute: false,
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('IDENTITY_CONFIRMED'),
        rateLimitClass: 'auth',
        ignoresUnknownFields: true,
      },
      schema: {
        operationId: 'accounts.finishSignIn',
        tags: ['Accounts'],
        summary: 'Handle the redirect from the identity provider; redirects to the front end',
        description: `The redirect leads to \`<front end>/sign-in#code=…\`, the code for POST /api/auth/google/exchange within ${formatLifetime('signInCode')}, or to \`#error=…\` with one of: access_denied, sign_in_failed, email_not_verified, account_suspended, identity_conflict, provider_unavailable, not_configured, try_again.`,
        querystring: SignInCallbackQuery,
        response: { 302: { type: 'null', description: 'Redirect to the front end.' } },
      },
      errorHandler: (error, request, reply) => {
        const problem = toServiceError(error);
        logServiceError(request, problem);
        redirectToFrontend(reply, `error=${toSignInErrorCode(problem)}`);
      },
    },
    async (request, reply) => {
      const { code, state, iss, error } = request.query;
      const cookie = parseSignInCookie('attempt', request.headers.cookie, secure);
      const redirect = { code, state, iss, error };
      const finished = await completeSignInAuthorization(services, getRequestContext(request), {
        redirect,
        cookie,
        redirectUri,
      });
      if (finished.isCookieBound)
        reply.header(
          'Set-Cookie',
          formatSignInCookie('code', createSignInCodeCookieValue(fieldCipher, finished.code), secure),
        );
      return redirectToFrontend(reply, `code=${finished.code}`);
    },
  );

  app.post(
    '/google/exchange',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('IDENTITY_LOGIN_SUCCEEDED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.exchangeSignInCode',
        tags: ['Accounts'],
        summary: 'Exchange the one-time code of a sign-in for tokens',
        description:
          'Returns the same as POST /api/auth/login. Send the `codeVerifier` of the `codeChallenge` that started the sign-in, or without both the cookie that was set with the code. A code issued to another browser is 401 SIGN_IN_INVALID.',
        body: SignInCodeExchangeRequest,
        response: { 200: schemaRef(LogInResponse), ...createProblemResponseSchemas(401, 403) },
      },
    },
    async (request, reply) => {
      const cookie = parseSignInCookie('code', request.headers.cookie, secure);
      const login = await exchangeSignInCode(services, getRequestContext(request), {
        ...request.body,
        cookie,
      });
      if (cookie !== undefined) reply.header('Set-Cookie', formatExpiredSignInCookie('code', secure));
      return createLogInResponse(services, app, login);
    },
  );

  app.post(
    '/google/token',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('IDENTITY_LOGIN_SUCCEEDED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.signInByToken',
        tags: ['Accounts'],
        summary: 'Sign in with an ID token of a native app; each token works once',
        description:
          'Returns the same as POST /api/auth/login. The address must be verified at the provider (403 IDENTITY_NOT_VERIFIED), and its account not be linked to another identity there (409 IDENTITY_CONFLICT).',
        body: IdTokenSignInRequest,
        response: { 200: schemaRef(LogInResponse), ...createProblemResponseSchemas(401, 403, 409) },
      },
    },
    async (request) =>
      createLogInResponse(
        services,
        app,
        await signInWithIdToken(services, getRequestContext(request), request.body),
      ),
  );

  async function createAuthorizationUrl(state: string): Promise<string | null> {
    try {
      return (
        identityProvider &&
        (await identityProvider.createAuthorizationUrl(deriveSignInAttempt(fieldCipher, state, redirectUri)))
      );
    } catch (error) {
      throw mapIdentityProviderError(error);
    }
  }

  /** A fragment reaches no server, log or Referer header. */
  function redirectToFrontend(reply: FastifyReply, fragment: string): FastifyReply {
    return reply
      .header('Set-Cookie', formatExpiredSignInCookie('attempt', secure))
      .redirect(`${frontendUrl}/sign-in#${fragment}`, 302);
  }
};

function sendProviderRedirectPage(reply: FastifyReply, url: string | null): FastifyReply {
  if (url) reply.header('Refresh', `0; url=${url}`);
  return sendServicePage(reply, {
    title: 'Sign in',
    body: url
      ? html`<h1>Sign in</h1><p>You’ll sign in with your provider. <a href="${url}">Continue</a></p>`
      : html`<h1>Sign in</h1><p>No identity provider is configured here. Sign in with your email address and password.</p>`,
  });
}
