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
import { createAuthorization, getRedirectUri } from './begin-authorization.ts';
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
import { toSignInErrorCode } from './sign-in-errors.ts';
import { createSignInCodeCookieValue } from './sign-in-state.ts';
import { exchangeSignInCode, signInWithIdToken } from './sign-in-with-provider.use-case.ts';

export const signInRoutes: FastifyPluginAsyncTypebox<IdentityServices> = async (app, services) => {
  const { fieldCipher, identityProvider, publicBaseUrl, frontendUrl } = services;
  const secure = publicBaseUrl.startsWith('https:');
  const redirectUri = getRedirectUri(publicBaseUrl);

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
      const { url: authorizationUrl, cookie } = await createAuthorization(
        services,
        request.query.codeChallenge,
      );
      if (cookie) reply.header('Set-Cookie', formatSignInCookie('attempt', cookie, secure));
      for (const kind of ['target', 'link'] as const)
        if (parseSignInCookie(kind, request.headers.cookie, secure) !== undefined)
          reply.header('Set-Cookie', formatExpiredSignInCookie(kind, secure));
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
        const errorCode = toSignInErrorCode(problem);
        const { cookie } = request.headers;
        const isOfPage =
          parseSignInCookie('target', cookie, secure) !== undefined &&
          parseSignInCookie('attempt', cookie, secure) !== undefined;
        if (!isOfPage) return redirectToFrontend(reply, `error=${errorCode}`);
        redirectToPage(reply, `?${new URLSearchParams({ error: errorCode })}`);
      },
    },
    async (request, reply) => {
      const { code, state, iss, error } = request.query;
      const cookie = parseSignInCookie('attempt', request.headers.cookie, secure);
      const redirect = { code, state, iss, error };
      // A page finishes it: it knows who is signed in.
      if (cookie !== undefined && parseSignInCookie('link', request.headers.cookie, secure) !== undefined)
        return reply.redirect(`${publicBaseUrl}/app/link-identity?${toQuery(redirect)}`, 302);
      const finished = await completeSignInAuthorization(services, getRequestContext(request), {
        redirect,
        cookie,
        redirectUri,
      });
      const binding = finished.isCookieBound ? createSignInCodeCookieValue(fieldCipher, finished.code) : null;
      const target = parseSignInCookie('target', request.headers.cookie, secure);
      if (binding !== null && target !== undefined) {
        reply.header('Set-Cookie', formatSignInCookie('pageCode', `${finished.code}.${binding}`, secure));
        return redirectToPage(reply, '/provider/done');
      }
      if (binding !== null) reply.header('Set-Cookie', formatSignInCookie('code', binding, secure));
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

  /** To the pages for owners, where the sign-in began; the code is in a cookie. */
  function redirectToPage(reply: FastifyReply, end: string): FastifyReply {
    return reply
      .header('Set-Cookie', formatExpiredSignInCookie('attempt', secure))
      .redirect(`${publicBaseUrl}/app/sign-in${end}`, 302);
  }

  /** A fragment reaches no server, log or Referer header. */
  function redirectToFrontend(reply: FastifyReply, fragment: string): FastifyReply {
    return reply
      .header('Set-Cookie', formatExpiredSignInCookie('attempt', secure))
      .redirect(`${frontendUrl}/sign-in#${fragment}`, 302);
  }
};

function toQuery(values: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const isSent = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
  return new URLSearchParams(Object.entries(values).filter(isSent));
}

function sendProviderRedirectPage(reply: FastifyReply, url: string | null): FastifyReply {
  if (url) reply.header('Refresh', `0; url=${url}`);
  return sendServicePage(reply, {
    title: 'Sign in',
    body: url
      ? html`<h1>Sign in</h1><p>You’ll sign in with your provider. <a href="${url}">Continue</a></p>`
      : html`<h1>Sign in</h1><p>No identity provider is configured here. Sign in with your email address and password.</p>`,
  });
}
