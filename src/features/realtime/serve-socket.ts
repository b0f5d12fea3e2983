import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordRequestFailure } from '../../platform/audit.ts';
import { toServiceError } from '../../platform/http/problem-details.ts';
import { getRateLimitAddress } from '../../platform/http/rate-limits.ts';
import { WEBSOCKET_CLOSE_CODES, type WebSocket } from '../../platform/http/websocket.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type ClientEvent, clientEvents, readMessage } from './client-events.ts';
import { createConnection } from './connection.ts';
import { sendReady } from './hub.ts';
import { letListen } from './let-listen.ts';
import { type Credential, credentialOf, hidesCredential, perSecond } from './realtime.rules.ts';
import type { ClientData } from './realtime.schemas.ts';
import type { SocketRoom } from './socket-room.ts';

/** How long a client may take to say who it is. */
const AUTHENTICATION_MS = 5_000;
const MESSAGES_A_SECOND = 20;
/** Messages that wait for those before them. */
const MOST_WAITING = 100;

/** Serves one socket until it is closed: lets it in, then follows its events one after another. */
export function serveSocket(
  app: FastifyInstance,
  room: SocketRoom,
  socket: WebSocket,
  request: FastifyRequest,
  since: string | undefined,
): void {
  const { services, hub, counts } = room;
  const connection = createConnection(socket);
  const events = clientEvents(room, connection, request);
  const isWithin = perSecond(room.scaled(MESSAGES_A_SECOND));
  const address = `address ${getRateLimitAddress(request)}`;
  const unheard = setTimeout(refuse, AUTHENTICATION_MS).unref();
  let line: Promise<void> = Promise.resolve();
  let waiting = 0;
  let counted: string | null = null;

  room.add(connection);
  counts.add(address);
  socket.on('close', () => {
    clearTimeout(unheard);
    counts.remove(address);
    if (counted !== null) counts.remove(counted);
    room.remove(connection);
  });
  socket.on('ping', isCalm);
  socket.on('message', (data, isBinary) => {
    if (!connection.isOpen() || !isCalm()) return;
    if (waiting >= MOST_WAITING) connection.close(WEBSOCKET_CLOSE_CODES.policyViolation, 'too much at once');
    else inTurn(() => take(isBinary ? '' : String(data)));
  });

  if (counts.isOver(address))
    connection.close(WEBSOCKET_CLOSE_CODES.tooMany, 'too many sockets of this address');
  // A credential in an address is in logs on the way: it is not to be used even where it is good.
  else if (hidesCredential(new URL(request.raw.url ?? '', 'http://localhost').searchParams)) refuse();
  else {
    const credential = credentialOf(request.headers);
    if (credential) inTurn(() => letIn(credential));
  }

  function refuse(): void {
    connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'a valid credential is needed');
  }

  function isCalm(): boolean {
    if (isWithin(Date.now())) return true;
    connection.close(WEBSOCKET_CLOSE_CODES.policyViolation, 'too many messages');
    return false;
  }

  function inTurn(work: () => Promise<void>): void {
    waiting += 1;
    line = line
      .then(work)
      .catch((error: unknown) => tell(error, null))
      .finally(() => {
        waiting -= 1;
      });
  }

  async function letIn(shown: Credential): Promise<void> {
    clearTimeout(unheard);
    try {
      const listener = await room.door(async () =>
        connection.isOpen() ? letListen(app, services, request, shown) : null,
      );
      const before = connection.listener;
      if (!listener || (before && before.stream !== listener.stream)) return refuse();
      if (!connection.isOpen()) return;
      connection.listener = listener;
      if (before) return sendReady(connection);
      counted = listener.stream;
      counts.add(counted);
      if (counts.isOver(counted)) return connection.close(WEBSOCKET_CLOSE_CODES.tooMany, 'too many sockets');
      await hub.join(connection, since);
    } catch (error) {
      connection.close(WEBSOCKET_CLOSE_CODES.tryAgainLater, 'try again later');
      throw error;
    }
  }

  async function take(text: string): Promise<void> {
    if (!connection.isOpen()) return;
    const { name, event } = readMessage(text);
    try {
      if (!event) throw new ServiceError('VALIDATION_FAILED');
      await follow(event);
    } catch (error) {
      await tell(error, name);
    }
  }

  async function follow({ event, data }: ClientEvent): Promise<void> {
    if (event === 'ping') return connection.send('pong', {});
    if (event === 'authenticate') return authenticate(data);
    if (!connection.listener) throw new ServiceError('UNAUTHENTICATED');
    if (event === 'unwatch') return events.unwatch(data);
    return room.desk(async () => {
      if (!connection.isOpen()) return;
      if (event === 'typing') await events.typing(data);
      else if (event === 'read') await events.read(data);
      else await events.watch(data);
    });
  }

  async function authenticate(data: ClientData<'authenticate'>): Promise<void> {
    const { token, conversationToken, conversationId = '' } = data;
    if (token !== undefined) return letIn({ kind: 'bearer', token });
    if (!conversationToken?.startsWith(conversationId)) return refuse();
    return letIn({ kind: 'conversation', token: conversationToken });
  }

  /** Tells the client why its event was not followed, and the trail where it must know. */
  async function tell(error: unknown, event: string | null): Promise<void> {
    const known = toServiceError(error);
    if (known.statusCode === 500) request.log.error({ err: error }, 'an event of a socket failed');
    connection.sendError(known.code, known.message, event);
    await recordRequestFailure(services.database, request, known);
  }
}
