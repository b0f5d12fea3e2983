import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  findOpenSessions,
  type OpenSession,
  touchSession,
} from '../../platform/authentication.repository.ts';
import { toCurrentUser } from '../../platform/authentication.ts';
import { getConversationStream, getUserStream } from '../../platform/realtime/streams.ts';
import { createPreparedReader } from '../../platform/sql-readers.ts';
import { chooseLocale, toLocale } from '../../shared/i18n/choose-locale.ts';
import { hasPermission } from '../../shared/permissions.ts';
import { findConversation, isConversationTokenValid } from '../conversations/index.ts';
import type { RealtimeListener } from './connection.ts';
import type { SocketCredential } from './realtime.rules.ts';
import type { RealtimeServices } from './realtime-services.ts';

export function canSubscribe({ status, isIdle, mustEnroll, role }: OpenSession): boolean {
  return status !== 'SUSPENDED' && !isIdle && !mustEnroll && hasPermission(role, 'notifications:own');
}

/** Authorize a socket by its credential. Returns null if it is rejected. */
export async function authorizeSubscription(
  app: FastifyInstance,
  services: RealtimeServices,
  request: FastifyRequest,
  { kind, token }: SocketCredential,
): Promise<RealtimeListener | null> {
  return kind === 'bearer'
    ? authorizeAccount(app, services, request, token)
    : authorizeFinder(services, request, token);
}

async function authorizeAccount(
  app: FastifyInstance,
  { database, isEnterpriseEnforced }: RealtimeServices,
  request: FastifyRequest,
  token: string,
): Promise<RealtimeListener | null> {
  const claims = app.verifyAccessToken(token);
  if (!claims) return null;
  const [session] = await findOpenSessions(
    createPreparedReader(database),
    [claims.sessionId],
    isEnterpriseEnforced,
  );
  if (!session || !canSubscribe(session)) return null;
  if (session.isStale) await touchSession(database.client, session.sessionId);
  request.user = toCurrentUser(session);
  const { userId, language } = session;
  return { side: 'ACCOUNT', stream: getUserStream(userId), userId, locale: toLocale(language), ...claims };
}

async function authorizeFinder(
  { database, fieldCipher }: RealtimeServices,
  request: FastifyRequest,
  token: string,
): Promise<RealtimeListener | null> {
  const [id = ''] = token.split('.');
  if (!isConversationTokenValid(fieldCipher, id, 'FINDER', token)) return null;
  const row = await findConversation(database.client, id);
  const locale = chooseLocale(undefined, request.headers['accept-language']);
  const stream = getConversationStream(id);
  return row && { side: 'FINDER', stream, locale, conversationId: id, ownerId: row.ownerId };
}
