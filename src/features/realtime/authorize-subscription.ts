import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  findOpenSessions,
  type OpenSession,
  touchSession,
} from '../../platform/authentication.repository.ts';
import { toCurrentUser } from '../../platform/authentication.ts';
import { getConversationStreamName, getUserStreamName } from '../../platform/realtime/streams.ts';
import { allowUsers, findAccessRefusal } from '../../platform/route-access.ts';
import { chooseLocale, toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import {
  findConversation,
  isConversationTokenValid,
  parseConversationToken,
} from '../conversations/index.ts';
import type { AuthorizedListener } from './connection.ts';
import type { SocketCredential } from './realtime.rules.ts';
import type { RealtimeServices } from './realtime-services.ts';

const SOCKET_ACCESS = allowUsers('notifications:own');

export function canSessionSubscribe(session: OpenSession): boolean {
  return !session.isIdle && findAccessRefusal(session, SOCKET_ACCESS, 'GET') === null;
}

/** Authorize a socket by its credential. Returns null if it is rejected. */
export async function authorizeSubscription(
  app: FastifyInstance,
  services: RealtimeServices,
  request: FastifyRequest,
  { kind, token }: SocketCredential,
): Promise<AuthorizedListener | null> {
  return kind === 'bearer'
    ? authorizeAccount(app, services, request, token)
    : authorizeFinder(services, request, token);
}

async function authorizeAccount(
  app: FastifyInstance,
  { database, isEnterpriseEnforced }: RealtimeServices,
  request: FastifyRequest,
  token: string,
): Promise<AuthorizedListener | null> {
  const claims = app.verifyAccessToken(token);
  if (!claims) return null;
  const [session] = await findOpenSessions(database.pool, [claims.sessionId], isEnterpriseEnforced);
  if (!session || !canSessionSubscribe(session)) return null;
  if (session.isStale) await touchSession(database.client, session);
  request.user = toCurrentUser(session);
  const { userId, language } = session;
  return {
    side: 'ACCOUNT',
    stream: getUserStreamName(userId),
    ...claims,
    userId,
    locale: toSupportedLocale(language),
  };
}

async function authorizeFinder(
  { database, fieldCipher }: RealtimeServices,
  request: FastifyRequest,
  token: string,
): Promise<AuthorizedListener | null> {
  const id = parseConversationToken(token);
  if (id === null || !isConversationTokenValid(fieldCipher, id, 'FINDER', token)) return null;
  const row = await findConversation(database.client, id);
  const locale = chooseLocale(undefined, request.headers['accept-language']);
  const stream = getConversationStreamName(id);
  return row && { side: 'FINDER', stream, locale, conversationId: id, accountId: row.accountId };
}
