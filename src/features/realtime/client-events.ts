import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { getRequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type ConversationRow, findConversation } from '../conversations/conversation.repository.ts';
import { findMessage } from '../conversations/message.repository.ts';
import { markConversationRead } from '../conversations/read-messages.ts';
import type { Connection } from './connection.ts';
import { type Look, otherSide } from './presence.ts';
import { CLIENT_EVENTS, type ClientData, type ClientEventName, ClientMessage } from './realtime.schemas.ts';
import type { SocketRoom } from './socket-room.ts';

/** Typing is passed on once in so many milliseconds. */
const TYPING_MS = 2_000;
/** Conversations that one socket looks at. */
const MOST_WATCHED = 100;

/** An event of a client, by its schema. */
export type ClientEvent = {
  [Name in ClientEventName]: { event: Name; data: ClientData<Name> };
}[ClientEventName];

/**
 * Reads a message of a client: the name of its event, and the event where it is one of ours. Throws MALFORMED_BODY for
 * what is no JSON, VALIDATION_FAILED for what is no message.
 */
export function readMessage(text: string): { name: string; event: ClientEvent | null } {
  const message = parsed(text);
  if (!Value.Check(ClientMessage, message)) throw new ServiceError('VALIDATION_FAILED');
  const { event: name, data = {} } = message as Static<typeof ClientMessage>;
  const schema = Object.hasOwn(CLIENT_EVENTS, name) ? CLIENT_EVENTS[name as ClientEventName] : null;
  const isOurs = schema !== null && Value.Check(schema, data);
  return { name, event: isOurs ? ({ event: name, data } as ClientEvent) : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('MALFORMED_BODY');
  }
}

/** What a socket that is let in does with the events of its client. Throws ServiceError. */
export function clientEvents(
  { services, presence, realtimeBus, show }: SocketRoom,
  connection: Connection,
  request: FastifyRequest,
) {
  const { database } = services;
  const typed = new Map<string, number>();

  /** The conversation, and the side of it that the socket is on. Throws NOT_FOUND, also for somebody else's. */
  async function placeOf(conversationId: string): Promise<{ row: ConversationRow; look: Look }> {
    const { listener } = connection;
    const row = await findConversation(database.client, conversationId);
    const isTheirs =
      listener?.side === 'ACCOUNT' ? row?.ownerId === listener.userId : row?.id === listener?.conversationId;
    if (!row || !listener || !isTheirs) throw new ServiceError('NOT_FOUND');
    const side = listener.side === 'ACCOUNT' ? 'OWNER' : 'FINDER';
    return { row, look: { conversationId, ownerId: row.ownerId, side } };
  }

  /** The same, where both can still write. A finder who was blocked is not to see when the owner looks. Throws CONVERSATION_ENDED. */
  async function openPlaceOf(conversationId: string): Promise<Look> {
    const { row, look } = await placeOf(conversationId);
    if (row.status !== 'OPEN') throw new ServiceError('CONVERSATION_ENDED');
    return look;
  }

  return {
    async typing({ conversationId }: ClientData<'typing'>) {
      const now = Date.now();
      if (now - (typed.get(conversationId) ?? 0) < TYPING_MS) return;
      const look = await openPlaceOf(conversationId);
      if (typed.size >= MOST_WATCHED) typed.clear();
      typed.set(conversationId, now);
      const { side } = look;
      show(look, 'typing', { conversationId, side });
      realtimeBus.whisper({ event: 'typing', ...look });
    },
    async read({ conversationId, upTo }: ClientData<'read'>) {
      const { look } = await placeOf(conversationId);
      const last = upTo === undefined ? null : await findMessage(database.client, conversationId, upTo);
      if (upTo !== undefined && !last) throw new ServiceError('NOT_FOUND');
      const side = { conversationId, reader: look.side };
      await database.transaction((tx) => markConversationRead(tx, getRequestContext(request), side, last));
    },
    async watch({ conversationId }: ClientData<'watch'>) {
      const look = await openPlaceOf(conversationId);
      if (presence.count(connection) >= MOST_WATCHED) throw new ServiceError('RATE_LIMITED');
      // It may be gone since the look-up began.
      if (!connection.isOpen()) return;
      presence.watch(connection, look);
      const other = otherSide(look.side);
      const isPresent = presence.isPresent({ ...look, side: other });
      connection.send('presence', { conversationId, side: other, isPresent });
    },
    unwatch({ conversationId }: ClientData<'unwatch'>) {
      presence.unwatch(connection, conversationId);
    },
  };
}
