import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { getRequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  type ConversationRow,
  findConversation,
  findMessage,
  markConversationRead,
} from '../conversations/index.ts';
import type { SocketConnection } from './connection.ts';
import { type ConversationViewer, getOtherSide } from './presence.ts';
import { CLIENT_EVENTS, type ClientData, type ClientEventName, ClientMessage } from './realtime.schemas.ts';
import type { SocketRegistry } from './socket-registry.ts';

/** Typing is passed on once in so many milliseconds. */
const TYPING_INTERVAL_MS = 2_000;
/** Conversations that one socket looks at. */
const MAX_WATCHED_CONVERSATIONS = 100;

/** An event of a client, by its schema. */
export type ClientEvent = {
  [Name in ClientEventName]: { event: Name; data: ClientData<Name> };
}[ClientEventName];

/**
 * Reads a message of a client: the name of its event, and the event where it is one of ours. Throws MALFORMED_BODY for
 * what is no JSON, VALIDATION_FAILED for what is no message.
 */
export function parseClientMessage(text: string): { name: string; event: ClientEvent | null } {
  const message = parseJson(text);
  if (!Value.Check(ClientMessage, message)) throw new ServiceError('VALIDATION_FAILED');
  const { event: name, data = {} } = message as Static<typeof ClientMessage>;
  const schema = Object.hasOwn(CLIENT_EVENTS, name) ? CLIENT_EVENTS[name as ClientEventName] : null;
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

/** What a socket that is let in does with the events of its client. Throws ServiceError. */
export function createClientEventHandlers(
  { services, presence, realtimeBus, sendToSide: showToOtherSide }: SocketRegistry,
  connection: SocketConnection,
  request: FastifyRequest,
) {
  const { database } = services;
  const typingSentAt = new Map<string, number>();

  /** The conversation, and the side of it that the socket is on. Throws NOT_FOUND, also for somebody else's. */
  async function placeOf(
    conversationId: string,
  ): Promise<{ row: ConversationRow; look: ConversationViewer }> {
    const { listener } = connection;
    const row = await findConversation(database.client, conversationId);
    const isTheirs =
      listener?.side === 'ACCOUNT' ? row?.ownerId === listener.userId : row?.id === listener?.conversationId;
    if (!row || !listener || !isTheirs) throw new ServiceError('NOT_FOUND');
    const side = listener.side === 'ACCOUNT' ? 'OWNER' : 'FINDER';
    return { row, look: { conversationId, ownerId: row.ownerId, side } };
  }

  /** The same, where both can still write. A finder who was blocked is not to see when the owner looks. Throws CONVERSATION_ENDED. */
  async function openPlaceOf(conversationId: string): Promise<ConversationViewer> {
    const { row, look: view } = await placeOf(conversationId);
    if (row.status !== 'OPEN') throw new ServiceError('CONVERSATION_ENDED');
    return view;
  }

  return {
    async typing({ conversationId }: ClientData<'typing'>) {
      const now = Date.now();
      if (now - (typingSentAt.get(conversationId) ?? 0) < TYPING_INTERVAL_MS) return;
      const view = await openPlaceOf(conversationId);
      if (typingSentAt.size >= MAX_WATCHED_CONVERSATIONS) typingSentAt.clear();
      typingSentAt.set(conversationId, now);
      const { side } = view;
      showToOtherSide(view, 'typing', { conversationId, side });
      realtimeBus.publishEphemeral({ event: 'typing', ...view });
    },
    async read({ conversationId, upTo }: ClientData<'read'>) {
      const { look: view } = await placeOf(conversationId);
      const last = upTo === undefined ? null : await findMessage(database.client, conversationId, upTo);
      if (upTo !== undefined && !last) throw new ServiceError('NOT_FOUND');
      const side = { conversationId, reader: view.side };
      await database.transaction((tx) => markConversationRead(tx, getRequestContext(request), side, last));
    },
    async watch({ conversationId }: ClientData<'watch'>) {
      const view = await openPlaceOf(conversationId);
      if (presence.count(connection) >= MAX_WATCHED_CONVERSATIONS) throw new ServiceError('RATE_LIMITED');
      // It may be gone since the look-up began.
      if (!connection.isOpen()) return;
      presence.watch(connection, view);
      const other = getOtherSide(view.side);
      const isPresent = presence.isPresent({ ...view, side: other });
      connection.send('presence', { conversationId, side: other, isPresent });
    },
    unwatch({ conversationId }: ClientData<'unwatch'>) {
      presence.unwatch(connection, conversationId);
    },
  };
}
