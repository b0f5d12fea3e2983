import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  findOpenSessions,
  type OpenSession,
  touchSession,
} from '../../platform/authentication.repository.ts';
import { userOfSession } from '../../platform/authentication.ts';
import { readNamed } from '../../platform/read.ts';
import { conversationStream, userStream } from '../../platform/realtime/streams.ts';
import { chooseLocale, toLocale } from '../../shared/i18n/choose-locale.ts';
import { mayUse } from '../../shared/permissions.ts';
import { findConversation } from '../conversations/conversation.repository.ts';
import { opensConversation } from '../conversations/conversation-token.ts';
import type { Listener } from './connection.ts';
import type { Credential } from './realtime.rules.ts';
import type { RealtimeServices } from './realtime-services.ts';

/** Whether an open session may hear what its account is told. */
export function mayListen({ status, isIdle, mustEnroll, role }: OpenSession): boolean {
  return status !== 'SUSPENDED' && !isIdle && !mustEnroll && mayUse(role, 'notifications:own');
}

/** Whom a credential lets in, who is the user of the request from then on; null where it lets in nobody. */
export async function letListen(
  app: FastifyInstance,
  services: RealtimeServices,
  request: FastifyRequest,
  { kind, token }: Credential,
): Promise<Listener | null> {
  return kind === 'bearer' ? account(app, services, request, token) : finder(services, request, token);
}

async function account(
  app: FastifyInstance,
  { database, enterpriseForAll }: RealtimeServices,
  request: FastifyRequest,
  token: string,
): Promise<Listener | null> {
  const named = app.readAccessToken(token);
  if (!named) return null;
  const [session] = await findOpenSessions(readNamed(database), [named.sessionId], enterpriseForAll);
  if (!session || !mayListen(session)) return null;
  if (session.isStale) await touchSession(database.client, session.sessionId);
  request.user = userOfSession(session);
  const { userId, language } = session;
  return { side: 'ACCOUNT', stream: userStream(userId), userId, locale: toLocale(language), ...named };
}

async function finder(
  { database, vault }: RealtimeServices,
  request: FastifyRequest,
  token: string,
): Promise<Listener | null> {
  const [id = ''] = token.split('.');
  if (!opensConversation(vault, id, 'FINDER', token)) return null;
  const row = await findConversation(database.client, id);
  const locale = chooseLocale(undefined, request.headers['accept-language']);
  const stream = conversationStream(id);
  return row && { side: 'FINDER', stream, locale, conversationId: id, ownerId: row.ownerId };
}
