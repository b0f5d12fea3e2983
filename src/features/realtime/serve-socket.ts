import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordFailedRequestAuditEntry } from '../../platform/audit.ts';
import { toServiceError } from '../../platform/http/problem-details.ts';
import { getRateLimitClientAddress } from '../../platform/http/rate-limits.ts';
import { WEBSOCKET_CLOSE_CODES, type WebSocket } from '../../platform/http/websocket.ts';
import { getIpv6Site } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { authorizeSubscription } from './authorize-subscription.ts';
import { type ClientEvent, createClientEventHandlers, parseClientMessage } from './client-events.ts';
import { createSocketConnection } from './connection.ts';
import { sendReadyEvent } from './hub.ts';
import {
  createPerSecondLimiter,
  hasCredentialInQuery,
  parseSocketCredential,
  type SocketCredential,
} from './realtime.rules.ts';
import type { ClientEventData } from './realtime.schemas.ts';
import type { SocketRegistry } from './socket-registry.ts';

const AUTHENTICATION_TIMEOUT_MS = 5_000;
/** Messages, pings and pongs. */
const MAX_FRAMES_PER_SECOND = 20;
/** Messages of a socket are handled one after another. */
const MAX_WAITING_MESSAGES = 100;

/** Serve one socket: authenticate it, then handle its events one after another. */
export function serveSocket(
  app: FastifyInstance,
  registry: SocketRegistry,
  socket: WebSocket,
  request: FastifyRequest,
  since: string | undefined,
): void {
  const { services, hub, counts } = registry;
  const connection = createSocketConnection(socket);
  const events = createClientEventHandlers(registry, connection, request);
  const isWithinRate = createPerSecondLimiter(registry.scaleLimit(MAX_FRAMES_PER_SECOND));
  const site = getIpv6Site(request.clientAddress);
  const origins = [
    `address ${getRateLimitClientAddress(request)}`,
    ...(site === null ? [] : [`site ${site}`]),
  ];
  const authenticationTimer = setTimeout(rejectSocket, AUTHENTICATION_TIMEOUT_MS).unref();
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;
  let countedStream: string | null = null;

  registry.add(connection);
  for (const origin of origins) counts.add(origin);
  socket.on('close', () => {
    clearTimeout(authenticationTimer);
    for (const origin of origins) counts.remove(origin);
    if (countedStream !== null) counts.remove(countedStream);
    registry.remove(connection);
  });
  socket.on('ping', checkFrameRate);
  socket.on('pong', checkFrameRate);
  socket.on('message', (data, isBinary) => {
    if (!connection.isOpen() || !checkFrameRate()) return;
    if (waiting >= MAX_WAITING_MESSAGES) connection.reject('too many pending messages');
    else runSequentially(() => handleMessage(isBinary ? '' : String(data)));
  });

  if (origins.some((origin) => counts.isOver(origin)))
    connection.close(WEBSOCKET_CLOSE_CODES.tooMany, 'too many sockets from this address');
  // A credential in a URL is logged by proxies, so it is rejected even if valid.
  else if (hasCredentialInQuery(new URL(request.raw.url ?? '', 'http://localhost').searchParams))
    rejectSocket();
  else {
    const credential = parseSocketCredential(request.headers);
    if (credential) runSequentially(() => authenticateSocket(credential));
  }

  function rejectSocket(): void {
    connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'a valid credential is required');
  }

  function checkFrameRate(): boolean {
    const now = Date.now();
    const isAllowed =
      isWithinRate(now) && (countedStream === null || counts.isWithinRate(countedStream, now));
    if (!isAllowed) connection.reject('too many messages');
    return isAllowed;
  }

  function runSequentially(work: () => Promise<void>): void {
    waiting += 1;
    queue = queue
      .then(work)
      .catch((error: unknown) => reportError(error, null))
      .finally(() => {
        waiting -= 1;
      });
  }

  async function authenticateSocket(credentialToCheck: SocketCredential): Promise<void> {
    clearTimeout(authenticationTimer);
    try {
      const listener = await registry.authorizationLimiter(async () =>
        connection.isOpen() ? authorizeSubscription(app, services, request, credentialToCheck) : null,
      );
      const previous = connection.listener;
      if (!listener || (previous && previous.stream !== listener.stream)) return rejectSocket();
      if (!connection.isOpen()) return;
      connection.listener = listener;
      if (previous) return sendReadyEvent(connection);
      countedStream = listener.stream;
      counts.add(countedStream);
      if (counts.isOver(countedStream))
        return connection.close(WEBSOCKET_CLOSE_CODES.tooMany, 'too many sockets');
      await hub.join(connection, since);
    } catch (error) {
      connection.close(WEBSOCKET_CLOSE_CODES.tryAgainLater, 'try again later');
      throw error;
    }
  }

  async function handleMessage(text: string): Promise<void> {
    if (!connection.isOpen()) return;
    const { name, event } = parseClientMessage(text);
    try {
      if (!event) throw new ServiceError('VALIDATION_FAILED');
      await handleEvent(event);
    } catch (error) {
      await reportError(error, name);
    }
  }

  async function handleEvent({ event, data }: ClientEvent): Promise<void> {
    if (event === 'ping') return connection.send('pong', {});
    if (event === 'authenticate') return authenticate(data);
    if (!connection.listener) throw new ServiceError('UNAUTHENTICATED');
    if (event === 'unwatch') return events.unwatch(data);
    return registry.eventLimiter(async () => {
      if (!connection.isOpen()) return;
      if (event === 'typing') await events.typing(data);
      else if (event === 'read') await events.read(data);
      else await events.watch(data);
    });
  }

  async function authenticate(data: ClientEventData<'authenticate'>): Promise<void> {
    const { token, conversationToken, conversationId = '' } = data;
    if (token !== undefined) return authenticateSocket({ kind: 'bearer', token });
    if (!conversationToken?.startsWith(conversationId)) return rejectSocket();
    return authenticateSocket({ kind: 'conversation', token: conversationToken });
  }

  // Some failures also need an audit entry.
  async function reportError(error: unknown, event: string | null): Promise<void> {
    const known = toServiceError(error);
    if (known.statusCode === 500) request.log.error({ err: error }, 'realtime: event failed');
    connection.sendError(known.code, known.message, event);
    await recordFailedRequestAuditEntry(services.database, request, known);
  }
}
