import { WEBSOCKET_CLOSE_CODES } from '../../platform/http/websocket.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';
import type { EphemeralEvent } from '../../platform/realtime/realtime-messages.ts';
import { getConversationStreamName, getUserStreamName } from '../../platform/realtime/streams.ts';
import { scaleByAddress } from '../../shared/client-address.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../../shared/limiter.ts';
import type { SocketConnection } from './connection.ts';
import { createRealtimeHub, type RealtimeHub } from './hub.ts';
import { createOrganizationSockets } from './organization-sockets.ts';
import { type ConversationParticipant, createPresenceTracker, type PresenceTracker } from './presence.ts';
import { createPerSecondLimiter } from './realtime.rules.ts';
import type { ServerEventName } from './realtime.schemas.ts';
import type { RealtimeServices } from './realtime-services.ts';
import { createSocketAccessMonitor } from './watch-access.ts';

const TICK_INTERVAL_MS = 1_000;
const MAX_SOCKETS_PER_ADDRESS = 50;
/** An IPv6 /48 has many client networks. */
const MAX_SOCKETS_PER_IPV6_SITE = 200;
const MAX_SOCKETS_PER_LISTENER = 10;
const MAX_FRAMES_PER_SECOND_AND_LISTENER = 60;

/** Below the size of the connection pool: when an instance stops, all its sockets reconnect to the others at the same time. */
const CONCURRENCY = 3;

export interface SocketRegistry {
  services: RealtimeServices;
  /** Bounds concurrent authentication. */
  authorizationLimiter: ConcurrencyLimiter;
  /** Bounds concurrent queries of open sockets. */
  eventLimiter: ConcurrencyLimiter;
  hub: RealtimeHub;
  presence: PresenceTracker;
  realtimeBus: RealtimeBus;
  counts: {
    add(key: string): void;
    remove(key: string): void;
    isOver(key: string): boolean;
    /** Count a frame for all sockets of a listener. */
    isWithinRate(key: string, now: number): boolean;
  };
  scaleLimit(limit: number): number;
  add(connection: SocketConnection): void;
  remove(connection: SocketConnection): void;
  stop(): Promise<void>;
}

/** Create the registry. It opens no connection before the first socket. */
export function createSocketRegistry(services: RealtimeServices): SocketRegistry {
  const { realtimeBus } = services;
  const connections = new Set<SocketConnection>();
  const authorizationLimiter = createConcurrencyLimiter(CONCURRENCY);
  const eventLimiter = createConcurrencyLimiter(CONCURRENCY);
  const hub = createRealtimeHub(services, authorizationLimiter, (conversationId) =>
    presence.end(conversationId),
  );
  const organizations = createOrganizationSockets();
  const presence = createPresenceTracker({
    notifyOtherSide: (participant, isPresent) =>
      sendToSide(participant, 'presence', { ...toConversationSide(participant), present: isPresent }),
    publish: (participant, isPresent) =>
      realtimeBus.publishEphemeral({ event: 'presence', ...participant, isPresent }),
  });
  const access = createSocketAccessMonitor(services, { connections, organizations, presence });
  const socketCounts = new Map<string, number>();
  const frameRates = new Map<string, (now: number) => boolean>();
  let timer: NodeJS.Timeout | undefined;

  realtimeBus.subscribe((message) => {
    hub.handleMessage(message);
    // With too many topics to list, `words` is null, and the next tick checks.
    if (message.words?.some(isTopicOfConnection)) access.check();
    for (const ephemeralEvent of message.ephemeralEvents) receiveEphemeral(message.from, ephemeralEvent);
  });
  services.typing.subscribe((participant) =>
    sendToSide(participant, 'typing', toConversationSide(participant)),
  );

  function receiveEphemeral(from: string, ephemeralEvent: EphemeralEvent): void {
    if ('data' in ephemeralEvent) {
      const { event, accountId, data } = ephemeralEvent;
      sendToAccount(accountId, event, data);
      return;
    }
    const { event, isPresent = false, ...participant } = ephemeralEvent;
    if (event === 'presence') presence.receive(from, participant, isPresent);
  }

  function isTopicOfConnection(topic: string): boolean {
    if (!topic.startsWith('a:')) return false;
    const userId = topic.slice(2);
    return [...connections].some(
      ({ listener }) => listener?.side === 'ACCOUNT' && listener.userId === userId,
    );
  }

  /** Send to the user of a personal account, or to the members of an organization. */
  function sendToAccount(accountId: string, event: ServerEventName, data: object): void {
    for (const connection of hub.listConnections(getUserStreamName(accountId))) connection.send(event, data);
    for (const connection of organizations.list(accountId)) connection.send(event, { ...data, accountId });
  }

  function sendToSide(
    { side, accountId, conversationId }: ConversationParticipant,
    event: 'typing' | 'presence',
    data: object,
  ): void {
    if (side === 'FINDER') {
      sendToAccount(accountId, event, data);
      return;
    }
    for (const connection of hub.listConnections(getConversationStreamName(conversationId)))
      connection.send(event, data);
  }

  function tick(): void {
    const now = Date.now();
    for (const connection of connections) {
      const { listener } = connection;
      connection.keepAlive(now);
      if (listener?.side === 'ACCOUNT' && listener.expiresAt <= now)
        connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'the access token has expired');
    }
    presence.renew(now);
    if (connections.size > 0) access.check();
  }

  const scaleLimit = (limit: number) => Math.max(1, Math.round(limit * services.rateLimitScale));
  return {
    services,
    authorizationLimiter,
    eventLimiter,
    hub,
    presence,
    realtimeBus,
    scaleLimit,
    counts: {
      add: (key) => void socketCounts.set(key, (socketCounts.get(key) ?? 0) + 1),
      remove(key) {
        const left = (socketCounts.get(key) ?? 0) - 1;
        if (left > 0) socketCounts.set(key, left);
        else {
          socketCounts.delete(key);
          frameRates.delete(key);
        }
      },
      isOver: (key) => (socketCounts.get(key) ?? 0) > scaleLimit(getMaxSockets(key)),
      isWithinRate(key, now) {
        const limiter =
          frameRates.get(key) ?? createPerSecondLimiter(scaleLimit(MAX_FRAMES_PER_SECOND_AND_LISTENER));
        frameRates.set(key, limiter);
        return limiter(now);
      },
    },
    add(connection) {
      connections.add(connection);
      realtimeBus.listen();
      hub.start();
      timer ??= setInterval(tick, TICK_INTERVAL_MS).unref();
    },
    remove(connection) {
      connections.delete(connection);
      hub.leave(connection);
      presence.removeConnection(connection);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([hub.stop(), access.stop(), realtimeBus.stop()]);
    },
  };
}

function toConversationSide({ conversationId, side }: ConversationParticipant): {
  conversationId: string;
  side: ConversationParticipant['side'];
} {
  return { conversationId, side };
}

function getMaxSockets(key: string): number {
  if (key.startsWith('address '))
    return scaleByAddress(key.slice('address '.length), MAX_SOCKETS_PER_ADDRESS);
  return key.startsWith('site ') ? MAX_SOCKETS_PER_IPV6_SITE : MAX_SOCKETS_PER_LISTENER;
}
