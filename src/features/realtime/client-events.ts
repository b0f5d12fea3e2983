import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { isMember } from '../../platform/membership.repository.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { type AccountRole, ANSWERING_ROLES } from '../../shared/account-roles.ts';
import { ServiceError } from '../../shared/errors.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
import { type ConversationRow, findConversation, markConversationRead } from '../conversations/index.ts';
import type { SocketConnection } from './connection.ts';
import { type ConversationParticipant, getOtherConversationSide } from './presence.ts';
import {
  CLIENT_EVENT_SCHEMAS,
  type ClientEventData,
  type ClientEventName,
  ClientMessage,
} from './realtime.schemas.ts';
import type { SocketRegistry } from './socket-registry.ts';

const TYPING_INTERVAL_MS = 2_000;
const MAX_WATCHED_CONVERSATIONS = 100;

export type ClientEvent = {
  [Name in ClientEventName]: { event: Name; data: ClientEventData<Name> };
}[ClientEventName];

/**
 * Parse a message of a client. `event` is null if it is unknown or its data is invalid.
 * @throws MALFORMED_BODY, VALIDATION_FAILED
 */
export function parseClientMessage(text: string): { name: string; event: ClientEvent | null } {
  const message = parseJson(text);
  if (!Value.Check(ClientMessage, message)) throw new ServiceError('VALIDATION_FAILED');
  const { event: name, data = {} } = message as Static<typeof ClientMessage>;
  const schema = Object.hasOwn(CLIENT_EVENT_SCHEMAS, name)
    ? CLIENT_EVENT_SCHEMAS[name as ClientEventName]
    : null;
  const isValid = schema !== null && Value.Check(schema, data);
  return { name, event: isValid ? ({ event: name, data } as ClientEvent) : null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('MALFORMED_BODY');
  }
}

/** Create the handlers of client events for an authenticated socket. They throw ServiceError. */
export function createClientEventHandlers(
  { services, presence }: SocketRegistry,
  connection: SocketConnection,
  request: FastifyRequest,
) {
  const { database } = services;
  const typingSentAt = new Map<string, number>();

  async function requireParticipant(
    conversationId: string,
    roles: readonly AccountRole[],
  ): Promise<{ row: ConversationRow; participant: ConversationParticipant }> {
    const { listener } = connection;
    const row = await findConversation(database.client, conversationId);
    if (!row || !listener) throw new ServiceError('NOT_FOUND');
    const isParticipant =
      listener.side === 'ACCOUNT'
        ? await isMember(
            database.client,
            { accountId: row.accountId, userId: listener.userId },
            roles,
            services.isEnterpriseEnforced,
          )
        : row.id === listener.conversationId;
    if (!isParticipant) throw new ServiceError('NOT_FOUND');
    const side = listener.side === 'ACCOUNT' ? 'OWNER' : 'FINDER';
    return { row, participant: { conversationId, accountId: row.accountId, side } };
  }

  // A finder who was blocked must not see when the owner is present.
  async function requireOpenConversation(
    conversationId: string,
    roles: readonly AccountRole[],
  ): Promise<ConversationParticipant> {
    const { row, participant } = await requireParticipant(conversationId, roles);
    if (row.status !== 'OPEN') throw new ServiceError('CONVERSATION_ENDED');
    return participant;
  }

  return {
    async typing({ conversationId }: ClientEventData<'typing'>) {
      const now = Date.now();
      if (now - (typingSentAt.get(conversationId) ?? 0) < TYPING_INTERVAL_MS) return;
      const participant = await requireOpenConversation(conversationId, ANSWERING_ROLES);
      if (typingSentAt.size >= MAX_WATCHED_CONVERSATIONS) typingSentAt.clear();
      typingSentAt.set(conversationId, now);
      services.typing.publish(participant);
    },
    async read({ conversationId, upTo }: ClientEventData<'read'>) {
      const { row, participant } = await requireParticipant(conversationId, ANSWERING_ROLES);
      const side = { conversation: row, reader: participant.side, upTo };
      await markConversationRead(database, getRequestContext(request), side);
    },
    async watch({ conversationId }: ClientEventData<'watch'>) {
      const participant = await requireOpenConversation(conversationId, ROLES_BY_TOPIC.MESSAGES);
      if (presence.count(connection) >= MAX_WATCHED_CONVERSATIONS) throw new ServiceError('RATE_LIMITED');
      // The socket may have been closed in the meantime.
      if (!connection.isOpen()) return;
      presence.watch(connection, participant);
      const other = getOtherConversationSide(participant.side);
      const isPresent = presence.isPresent({ ...participant, side: other });
      connection.send('presence', { conversationId, side: other, present: isPresent });
    },
    unwatch({ conversationId }: ClientEventData<'unwatch'>) {
      presence.unwatch(connection, conversationId);
    },
  };
}
