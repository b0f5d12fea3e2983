import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../../platform/caller.ts';
import { logProblem, toServiceError } from '../../platform/http/problem.ts';
import { sendPage } from '../../platform/http/service-page.ts';
import { problems } from '../../platform/openapi.ts';
import { audited, PUBLIC, unaudited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { html } from '../../shared/html.ts';
import { logInAnswer } from '../accounts/tokens.view.ts';
import { LogInAnswer } from '../second-factor/second-factor.schemas.ts';
import { enterByCode, enterByToken } from './enter-by-provider.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { CallbackQuery, CodeExchange, SignInQuery, SignInStart, TokenSignIn } from './identities.schemas.ts';
import type { IdentityServices } from './identity-services.ts';
import { noSignInCookie, signInCookie, signInCookieOf } from './sign-in-cookie.ts';
import { signInErrorOf, withoutProvider } from './sign-in-errors.ts';
import { attemptOf, codeCookieValueFor, cookieValueFor, newState } from './sign-in-state.ts';

/** Signing in by an identity provider: the way there, the way back, and the tokens. */
export const signInRoutes: FastifyPluginAsyncTypebox<IdentityServices> = async (app, services) => {
  const { vault, identityProvider, publicBaseUrl, frontendUrl } = services;
  const secure = publicBaseUrl.startsWith('https:');
  const redirectUri = `${publicBaseUrl}/api/auth/google/callback`;

  app.get(
    '/google',
    {
      config: { access: PUBLIC, audit: unaudited('USER') },
      schema: {
        operationId: 'accounts.beginSignIn',
        tags: ['Accounts'],
        summary: 'Begin to sign in by the identity provider; a browser gets a page that goes there.',
        description:
          'Without `codeChallenge` cookies bind the sign-in to this browser, up to the exchange; a client of another origin, which keeps none of them, has to give one.',
        querystring: SignInQuery,
        response: {
          200: {
            description: 'Where to go.',
            content: {
              'application/json': { schema: ref(SignInStart) },
              'text/html': { schema: { type: 'string' } },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { state, codeChallenge } = newState(vault, request.query.codeChallenge);
      const authorizationUrl = await urlFor(state);
      if (authorizationUrl && !codeChallenge)
        reply.header('Set-Cookie', signInCookie('attempt', cookieValueFor(vault, state), secure));
      if (request.headers.accept?.includes('text/html')) return sendWay(reply, authorizationUrl);
      const configured = identityProvider !== null && !identityProvider.isEmulator;
      return reply.type('application/json; charset=utf-8').send({ configured, authorizationUrl });
    },
  );

  app.get(
    '/google/callback',
    {
      // A preview that only asks for the head must not use the answer up.
      exposeHeadRoute: false,
      config: { access: PUBLIC, audit: audited('IDENTITY_CONFIRMED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.finishSignIn',
        tags: ['Accounts'],
        summary: 'Where the provider sends the browser back to; always goes on to the front end.',
        description:
          'To `<front end>/sign-in#code=…`, the code for POST /api/auth/google/exchange within a minute, or to `#error=…` with one of: access_denied, sign_in_failed, email_not_verified, account_suspended, identity_conflict, provider_unavailable, not_configured, try_again.',
        querystring: CallbackQuery,
        response: { 302: { type: 'null', description: 'To the front end.' } },
      },
      errorHandler: (error, request, reply) => {
        const problem = toServiceError(error);
        logProblem(request, problem);
        goOn(reply, `error=${signInErrorOf(problem)}`);
      },
    },
    async (request, reply) => {
      const { code, state, iss, error } = request.query;
      const cookie = signInCookieOf('attempt', request.headers.cookie, secure);
      const redirect = { code, state, iss, error };
      const finished = await finishSignIn(services, callerOf(request), { redirect, cookie, redirectUri });
      if (finished.isCookieBound)
        reply.header('Set-Cookie', signInCookie('code', codeCookieValueFor(vault, finished.code), secure));
      return goOn(reply, `code=${finished.code}`);
    },
  );

  app.post(
    '/google/exchange',
    {
      config: { access: PUBLIC, audit: audited('IDENTITY_LOGIN_SUCCEEDED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.exchangeSignInCode',
        tags: ['Accounts'],
        summary: 'Change the one-time code of a sign-in for tokens.',
        description:
          'With the `codeVerifier` of the `codeChallenge` with which it began, or without both with the cookie that came with the code: what another browser was given opens nothing here.',
        body: CodeExchange,
        response: { 200: ref(LogInAnswer), ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const cookie = signInCookieOf('code', request.headers.cookie, secure);
      const entered = await enterByCode(services, callerOf(request), { ...request.body, cookie });
      if (cookie !== undefined) reply.header('Set-Cookie', noSignInCookie('code', secure));
      return logInAnswer(services, app, entered);
    },
  );

  app.post(
    '/google/token',
    {
      config: { access: PUBLIC, audit: audited('IDENTITY_LOGIN_SUCCEEDED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.signInByToken',
        tags: ['Accounts'],
        summary: 'Sign in by an ID token that a native application got from the provider; each token once.',
        body: TokenSignIn,
        response: { 200: ref(LogInAnswer), ...problems(401, 403, 409) },
      },
    },
    async (request) =>
      logInAnswer(services, app, await enterByToken(services, callerOf(request), request.body)),
  );

  async function urlFor(state: string): Promise<string | null> {
    try {
      return (
        identityProvider && (await identityProvider.authorizationUrl(attemptOf(vault, state, redirectUri)))
      );
    } catch (error) {
      throw withoutProvider(error);
    }
  }

  /** In the fragment the code reaches no server, no log and no Referer. */
  function goOn(reply: FastifyReply, fragment: string): FastifyReply {
    return reply
      .header('Set-Cookie', noSignInCookie('attempt', secure))
      .redirect(`${frontendUrl}/sign-in#${fragment}`, 302);
  }
};

function sendWay(reply: FastifyReply, url: string | null): FastifyReply {
  if (url) reply.header('Refresh', `0; url=${url}`);
  return sendPage(reply, {
    title: 'Sign in',
    body: url
      ? html`<h1>Sign in</h1><p>You are on the way to the identity provider. <a href="${url}">Go there</a></p>`
      : html`<h1>Sign in</h1><p>No identity provider is configured here. Log in with address and password.</p>`,
  });
}
