import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import {
  account,
  audited,
  beforeEnrollment,
  PUBLIC,
  PUBLIC_OR_ACCOUNT,
  unaudited,
} from '../../platform/route-access.ts';
import { Deleted, Done, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { LogInAnswer } from '../second-factor/second-factor.schemas.ts';
import type { AccountServices } from './account-services.ts';
import { LogIn, RefreshedTokens, RefreshRequest, Session } from './accounts.schemas.ts';
import { logIn } from './log-in.ts';
import { refreshSession } from './refresh-session.ts';
import { endSession, listSessions } from './session.repository.ts';
import { logInAnswer, sessionTokens } from './tokens.view.ts';

/** Log-in, log-out, and the sessions of a person. */
export const sessionRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '/login',
    {
      config: {
        access: PUBLIC,
        audit: audited('LOGIN_SUCCEEDED'),
        rateLimitClass: 'auth',
        hashes: true,
      },
      schema: {
        operationId: 'accounts.logIn',
        tags: ['Accounts'],
        summary: 'Log in with address and password; a second factor is asked for in a step of its own.',
        body: LogIn,
        response: { 200: ref(LogInAnswer), ...problems(401, 403) },
      },
    },
    async (request) => logInAnswer(services, app, await logIn(services, callerOf(request), request.body)),
  );

  app.post(
    '/refresh-token',
    {
      config: { access: PUBLIC, audit: audited('SESSION_REFRESHED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.refresh',
        tags: ['Accounts'],
        summary: 'Replace a refresh token; its reuse later on ends the session.',
        body: RefreshRequest,
        response: { 200: ref(RefreshedTokens), ...problems(401) },
      },
    },
    async (request) => {
      const session = await refreshSession(services, callerOf(request), request.body.refreshToken);
      return sessionTokens(app, session.user, session);
    },
  );

  app.post(
    '/logout',
    {
      // Not for accounts only: logging out twice is 200 twice, though the session has ended by then.
      config: { access: beforeEnrollment(PUBLIC_OR_ACCOUNT), audit: audited('LOGOUT') },
      schema: {
        operationId: 'accounts.logOut',
        tags: ['Accounts'],
        summary: 'End this session at once.',
        security: [{ bearer: [] }],
        response: { 200: ref(Done), ...problems(401) },
      },
    },
    async (request) => {
      const sessionId = app.signedSessionId(request.headers.authorization);
      if (!sessionId) throw new ServiceError('UNAUTHENTICATED');
      const { user } = request;
      if (user) {
        await database.transaction(async (tx) => {
          const ended = await endSession(tx, user.id, sessionId, 'LOGOUT');
          if (ended) await recordAction(tx, callerOf(request), { resourceId: sessionId });
        });
      }
      return { done: true as const };
    },
  );

  app.get(
    '/sessions',
    {
      config: { access: account('account:use'), audit: unaudited('SESSION'), cache: 'revalidate' },
      schema: {
        operationId: 'accounts.sessions',
        tags: ['Accounts'],
        summary: 'The open sessions of the account, newest first.',
        querystring: PageQuery,
        response: { 200: pageOf(Session) },
      },
    },
    async (request) => {
      const user = userOf(request);
      const { limit } = request.query;
      const { rows, total } = await listSessions(database.client, user.id, {
        skip: offsetOf(request.query),
        take: limit,
      });
      const data = rows.map((row) => ({
        id: row.id,
        ip: row.ip,
        userAgent: row.userAgent,
        current: row.id === user.sessionId,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
      }));
      return pageAnswer(request.query, data, total);
    },
  );

  app.delete(
    '/sessions/:id',
    {
      config: { access: account('account:use'), audit: audited('SESSION_REVOKED') },
      schema: {
        operationId: 'accounts.endSession',
        tags: ['Accounts'],
        summary: 'End one of the own sessions.',
        params: idParams('id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await database.transaction(async (tx) => {
        if (!(await endSession(tx, userOf(request).id, id, 'REVOKED'))) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id, deleted: true as const };
    },
  );
};
