import type { SocketConnection } from './connection.ts';

/** A side of a conversation that looks at it. */
export interface ConversationViewer {
  conversationId: string;
  /** The owner of the code that it is about. */
  ownerId: string;
  side: 'FINDER' | 'OWNER';
}

interface PresenceOutputs {
  /** Tells the other side, here. */
  notifyOtherSide(viewer: ConversationViewer, isPresent: boolean): void;
  /** Tells other processes what is true in this one. */
  publish(viewer: ConversationViewer, isPresent: boolean): void;
}

/** Others believe what a process said for so long; it says it again in time. */
const PRESENCE_TTL_MS = 45_000;
const PRESENCE_REPEAT_MS = 20_000;

interface PresenceEntry {
  viewer: ConversationViewer;
  localConnections: Set<SocketConnection>;
  /** Other processes in which somebody looks, and until when that is believed. */
  remoteExpiry: Map<string, number>;
  publishedAt: number;
}

export type PresenceTracker = ReturnType<typeof createPresenceTracker>;

/** Who looks at which conversation, in all processes; kept in memory alone. */
export function createPresenceTracker({ notifyOtherSide, publish }: PresenceOutputs) {
  const entries = new Map<string, PresenceEntry>();
  const viewersByConnection = new Map<SocketConnection, Map<string, ConversationViewer>>();

  function change(viewer: ConversationViewer, work: (entry: PresenceEntry) => void): void {
    const key = getKey(viewer);
    const entry = entries.get(key) ?? {
      viewer,
      localConnections: new Set(),
      remoteExpiry: new Map(),
      publishedAt: 0,
    };
    const before = hasViewer(entry);
    const wasHere = entry.localConnections.size > 0;
    work(entry);
    if (hasViewer(entry)) entries.set(key, entry);
    else entries.delete(key);
    if (wasHere !== entry.localConnections.size > 0) repeat(entry);
    if (before !== hasViewer(entry)) notifyOtherSide(viewer, hasViewer(entry));
  }

  function repeat(entry: PresenceEntry): void {
    entry.publishedAt = Date.now();
    publish(entry.viewer, entry.localConnections.size > 0);
  }

  /** A socket looks away from a conversation; nothing where it did not look. */
  function unwatch(connection: SocketConnection, conversationId: string): void {
    const all = viewersByConnection.get(connection);
    const viewer = all?.get(conversationId);
    if (!all || !viewer) return;
    all.delete(conversationId);
    if (all.size === 0) viewersByConnection.delete(connection);
    change(viewer, ({ localConnections }) => localConnections.delete(connection));
  }

  return {
    /** A side looks, at a socket of this process. */
    watch(connection: SocketConnection, viewer: ConversationViewer) {
      const all = viewersByConnection.get(connection) ?? new Map<string, ConversationViewer>();
      viewersByConnection.set(connection, all.set(viewer.conversationId, viewer));
      change(viewer, ({ localConnections }) => localConnections.add(connection));
    },
    unwatch,
    /** At how many conversations a socket looks. */
    count: (connection: SocketConnection) => viewersByConnection.get(connection)?.size ?? 0,
    /** A socket is gone. */
    removeConnection(connection: SocketConnection) {
      for (const id of [...(viewersByConnection.get(connection)?.keys() ?? [])]) unwatch(connection, id);
    },
    /** Nobody looks any more at a conversation that has ended, and nobody learns when the other left. */
    end(conversationId: string) {
      for (const side of ['FINDER', 'OWNER'] as const) {
        const key = `${conversationId} ${side}`;
        for (const connection of entries.get(key)?.localConnections ?? [])
          viewersByConnection.get(connection)?.delete(conversationId);
        entries.delete(key);
      }
    },
    /** What another process says of a side. */
    receive(from: string, viewer: ConversationViewer, isPresent: boolean) {
      const isNew = isPresent && !entries.get(getKey(viewer))?.remoteExpiry.has(from);
      change(viewer, ({ remoteExpiry }) => {
        if (isPresent) remoteExpiry.set(from, Date.now() + PRESENCE_TTL_MS);
        else remoteExpiry.delete(from);
      });
      // Whoever comes to a conversation is to know who was there before.
      const other = entries.get(getKey({ ...viewer, side: getOtherSide(viewer.side) }));
      if (isNew && other && other.localConnections.size > 0) repeat(other);
    },
    isPresent: (viewer: ConversationViewer) => entries.has(getKey(viewer)),
    /** Repeats what is true here, and forgets processes that were not heard of for long. */
    renew(now: number) {
      for (const entry of [...entries.values()]) {
        if (entry.localConnections.size > 0 && now - entry.publishedAt >= PRESENCE_REPEAT_MS) repeat(entry);
        const silent = [...entry.remoteExpiry].filter(([, until]) => until <= now);
        if (silent.length > 0)
          change(entry.viewer, ({ remoteExpiry }) => {
            for (const [process] of silent) remoteExpiry.delete(process);
          });
      }
    },
  };
}

export function getOtherSide(side: ConversationViewer['side']): ConversationViewer['side'] {
  return side === 'OWNER' ? 'FINDER' : 'OWNER';
}

function getKey({ conversationId, side }: ConversationViewer): string {
  return `${conversationId} ${side}`;
}

function hasViewer({ localConnections, remoteExpiry }: PresenceEntry): boolean {
  return localConnections.size > 0 || remoteExpiry.size > 0;
}
