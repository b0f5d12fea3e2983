import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Value } from 'typebox/value';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { clearBrowserCache } from '../../../platform/http/security-headers.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowAnyoneOrUsers,
  allowBeforeMfaEnrollment,
  allowUsers,
  auditAs,
  PUBLIC_ACCESS,
  skipAudit,
} from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  DoneResponse,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { formatDuration } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { LogInResponse } from '../second-factor/second-factor.schemas.ts';
import type { AccountServices } from './account-services.ts';
import {
  LogInRequest,
  RefreshTokenRequest,
  RefreshTokenResponse,
  SessionSchema,
} from './accounts.schemas.ts';
import { logOut, revokeSession } from './end-session.use-case.ts';
import { logIn } from './log-in.use-case.ts';
import { refreshSession } from './refresh-session.use-case.ts';
import { parseRefreshToken, REFRESH_TOKEN_ROTATION_GRACE_MS } from './refresh-token.ts';
import { listActiveUserSessions } from './session.repository.ts';
import { createLogInResponse, createSessionTokens } from './tokens.view.ts';

/** Read before the limit: the longest token with every character escaped, and room for other fields. */
const MAX_REFRESH_BODY_BYTES = 32 * 1024;

export const sessionRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.post(
    '/login',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('LOGIN_SUCCEEDED'),
        rateLimitClass: 'auth',
        requiresPasswordHashing: true,
      },
      schema: {
        operationId: 'accounts.logIn',
        tags: ['Accounts'],
        summary: 'Log in with email address and password',
        description:
          'Returns tokens, or `mfaRequired` with an `mfaToken` for POST /api/auth/mfa/verify. An unknown address, an unverified one and a wrong password are the same 401 CREDENTIALS_INVALID. Failed attempts delay the next ones (429).',
        body: LogInRequest,
        response: { 200: schemaRef(LogInResponse), ...createProblemResponseSchemas(401, 403) },
      },
    },
    async (request) =>
      createLogInResponse(services, app, await logIn(services, getRequestContext(request), request.body)),
  );

  app.post(
    '/refresh-token',
    {
      bodyLimit: MAX_REFRESH_BODY_BYTES,
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('SESSION_REFRESHED'),
        rateLimitClass: 'refresh',
        findRateLimitSession: ({ body }) =>
          Value.Check(RefreshTokenRequest, body)
            ? parseRefreshToken(fieldCipher, body.refreshToken).sessionId
            : null,
      },
      schema: {
        operationId: 'accounts.refresh',
        tags: ['Accounts'],
        summary: 'Rotate a refresh token; later reuse ends the session',
        description: `Returns a new access token and the next refresh token. The old one sent again within ${formatDuration(REFRESH_TOKEN_ROTATION_GRACE_MS / 1000)} returns the same successor. Later it counts as stolen: the session ends, and its user gets an email.`,
        body: RefreshTokenRequest,
        response: { 200: schemaRef(RefreshTokenResponse), ...createProblemResponseSchemas(401) },
      },
    },
    async (request) => {
      const session = await refreshSession(services, getRequestContext(request), request.body.refreshToken);
      return createSessionTokens(app, session.user, session);
    },
  );

  app.post(
    '/logout',
    {
      // Public, so that a repeated logout returns 200.
      config: {
        access: allowBeforeMfaEnrollment(allowAnyoneOrUsers('account:manage')),
        audit: auditAs('LOGOUT'),
      },
      schema: {
        operationId: 'accounts.logOut',
        tags: ['Accounts'],
        summary: 'Log out of the current session',
        description:
          'Ends the session of the access token together with its refresh token. Repeating it is 200, also after the session has ended.',
        security: [{ bearer: [] }],
        response: { 200: schemaRef(DoneResponse), ...createProblemResponseSchemas(401) },
      },
    },
    async (request, reply) => {
      const credential = request.parseCredential();
      if (credential?.type !== 'session') throw new ServiceError('UNAUTHENTICATED');
      const { sessionId } = credential;
      const { user } = request;
      if (user) {
        await logOut(database, getRequestContext(request), user.id, sessionId);
      }
      clearBrowserCache(reply);
      return { done: true as const };
    },
  );

  app.get(
    '/sessions',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('SESSION'), cache: 'revalidate' },
      schema: {
        operationId: 'accounts.listSessions',
        tags: ['Accounts'],
        summary: 'List open sessions, newest first',
        description:
          'A session is a login with its address, browser and expiry. `current` marks the one of this request.',
        querystring: PageQuery,
        response: { 200: createPageSchema(SessionSchema) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listActiveUserSessions(database.client, user.id, page);
      return toListPage(page, list, (row) => ({
        id: row.id,
        ip: row.ip,
        userAgent: row.userAgent,
        current: row.id === user.sessionId,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
      }));
    },
  );

  app.delete(
    '/sessions/:id',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('SESSION_REVOKED') },
      schema: {
        operationId: 'accounts.endSession',
        tags: ['Accounts'],
        summary: 'Revoke a session; another one only after a recent login',
        description: `Its tokens stop working at once. For another session than the current one, a login within the last ${formatLifetime('freshSession')} is required: 403 REAUTHENTICATION_REQUIRED.`,
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await revokeSession(database, getRequestContext(request), requireAuthenticatedUser(request), id);
      return { id, deleted: true as const };
    },
  );
};
