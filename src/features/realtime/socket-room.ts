import { WEBSOCKET_CLOSE_CODES } from '../../platform/http/websocket.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';
import { getConversationStream, getUserStream } from '../../platform/realtime/streams.ts';
import { createLimiter, type Limiter } from '../../shared/limiter.ts';
import type { Connection } from './connection.ts';
import { createHub, type Hub } from './hub.ts';
import { createPresence, type Look, type Presence } from './presence.ts';
import type { RealtimeServices } from './realtime-services.ts';
import { createAccessWatch } from './watch-access.ts';

const TICK_MS = 1_000;
const OF_AN_ADDRESS = 50;
const OF_A_LISTENER = 10;

/** Fewer than the pool has connections: when a process goes, all its sockets come to the others at once. */
const AT_ONCE = 3;

/** All sockets of this process, and what they share. */
export interface SocketRoom {
  services: RealtimeServices;
  /** The line of sockets that are being let in. */
  door: Limiter;
  /** The line of what open sockets ask of the database. */
  desk: Limiter;
  hub: Hub;
  presence: Presence;
  realtimeBus: RealtimeBus;
  /** How many sockets an address, an account or a conversation has. */
  counts: { add(key: string): void; remove(key: string): void; isOver(key: string): boolean };
  /** A limit times RATE_LIMIT_SCALE. */
  scaled(most: number): number;
  /** Tells the other side of a conversation, in this process. */
  show(look: Look, event: 'typing' | 'presence', data: object): void;
  add(connection: Connection): void;
  remove(connection: Connection): void;
  stop(): Promise<void>;
}

/** Makes the room. Nothing runs and no connection is opened in it before the first socket comes. */
export function createSocketRoom(services: RealtimeServices): SocketRoom {
  const { realtimeBus } = services;
  const connections = new Set<Connection>();
  const door = createLimiter(AT_ONCE);
  const desk = createLimiter(AT_ONCE);
  const hub = createHub(services, door, (conversationId) => presence.end(conversationId));
  const access = createAccessWatch(services, connections);
  const presence = createPresence({
    show: (look, isPresent) => show(look, 'presence', { ...placeOf(look), isPresent }),
    pass: (look, isPresent) => realtimeBus.whisper({ event: 'presence', ...look, isPresent }),
  });
  const counted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  realtimeBus.hear((notice) => {
    hub.hear(notice);
    // Where too much happened to be named, the next tick looks.
    if (notice.words?.some(concerns)) access.check();
    for (const { event, isPresent = false, ...look } of notice.whispers)
      if (event === 'typing') show(look, 'typing', placeOf(look));
      else presence.hear(notice.from, look, isPresent);
  });

  function concerns(word: string): boolean {
    if (!word.startsWith('a:')) return false;
    const userId = word.slice(2);
    return [...connections].some(
      ({ listener }) => listener?.side === 'ACCOUNT' && listener.userId === userId,
    );
  }

  function show(look: Look, event: 'typing' | 'presence', data: object): void {
    const stream =
      look.side === 'FINDER' ? getUserStream(look.ownerId) : getConversationStream(look.conversationId);
    for (const connection of hub.of(stream)) connection.send(event, data);
  }

  function tick(): void {
    const now = Date.now();
    for (const connection of connections) {
      const { listener } = connection;
      connection.keepAlive(now);
      if (listener?.side === 'ACCOUNT' && listener.expiresAt <= now)
        connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'the access token has ended');
    }
    presence.renew(now);
    if (connections.size > 0) access.check();
  }

  const scaled = (most: number) => Math.max(1, Math.round(most * services.rateLimitScale));
  return {
    services,
    door,
    desk,
    hub,
    presence,
    realtimeBus,
    scaled,
    show,
    counts: {
      add: (key) => void counted.set(key, (counted.get(key) ?? 0) + 1),
      remove(key) {
        const left = (counted.get(key) ?? 0) - 1;
        if (left > 0) counted.set(key, left);
        else counted.delete(key);
      },
      isOver: (key) =>
        (counted.get(key) ?? 0) > scaled(key.startsWith('address ') ? OF_AN_ADDRESS : OF_A_LISTENER),
    },
    add(connection) {
      connections.add(connection);
      realtimeBus.listen();
      hub.start();
      timer ??= setInterval(tick, TICK_MS).unref();
    },
    remove(connection) {
      connections.delete(connection);
      hub.leave(connection);
      presence.forget(connection);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([hub.stop(), access.stop(), realtimeBus.stop()]);
    },
  };
}

function placeOf({ conversationId, side }: Look): { conversationId: string; side: Look['side'] } {
  return { conversationId, side };
}
