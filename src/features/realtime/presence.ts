import type { SocketConnection } from './connection.ts';

/** One side of a conversation that has it open. */
export interface ConversationViewer {
  conversationId: string;
  ownerId: string;
  side: 'FINDER' | 'OWNER';
}

interface PresenceOutputs {
  notifyOtherSide(viewer: ConversationViewer, isPresent: boolean): void;
  publish(viewer: ConversationViewer, isPresent: boolean): void;
}

/** Other processes trust a published state for this time, so it is repeated before. */
const PRESENCE_TTL_MS = 45_000;
const PRESENCE_REPEAT_MS = 20_000;

interface PresenceEntry {
  viewer: ConversationViewer;
  localConnections: Set<SocketConnection>;
  remoteExpiry: Map<string, number>;
  publishedAt: number;
}

export type PresenceTracker = ReturnType<typeof createPresenceTracker>;

/** Track who has which conversation open in all processes, in memory only. */
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
    const hadLocalConnections = entry.localConnections.size > 0;
    work(entry);
    if (hasViewer(entry)) entries.set(key, entry);
    else entries.delete(key);
    if (hadLocalConnections !== entry.localConnections.size > 0) publishLocalState(entry);
    if (before !== hasViewer(entry)) notifyOtherSide(viewer, hasViewer(entry));
  }

  function publishLocalState(entry: PresenceEntry): void {
    entry.publishedAt = Date.now();
    publish(entry.viewer, entry.localConnections.size > 0);
  }

  function unwatch(connection: SocketConnection, conversationId: string): void {
    const all = viewersByConnection.get(connection);
    const viewer = all?.get(conversationId);
    if (!all || !viewer) return;
    all.delete(conversationId);
    if (all.size === 0) viewersByConnection.delete(connection);
    change(viewer, ({ localConnections }) => localConnections.delete(connection));
  }

  return {
    watch(connection: SocketConnection, viewer: ConversationViewer) {
      const all = viewersByConnection.get(connection) ?? new Map<string, ConversationViewer>();
      viewersByConnection.set(connection, all.set(viewer.conversationId, viewer));
      change(viewer, ({ localConnections }) => localConnections.add(connection));
    },
    unwatch,
    count: (connection: SocketConnection) => viewersByConnection.get(connection)?.size ?? 0,
    removeConnection(connection: SocketConnection) {
      for (const id of [...(viewersByConnection.get(connection)?.keys() ?? [])]) unwatch(connection, id);
    },
    /** Forget a conversation that has ended, without notifying the other side. */
    end(conversationId: string) {
      for (const side of ['FINDER', 'OWNER'] as const) {
        const key = `${conversationId} ${side}`;
        for (const connection of entries.get(key)?.localConnections ?? [])
          viewersByConnection.get(connection)?.delete(conversationId);
        entries.delete(key);
      }
    },
    receive(from: string, viewer: ConversationViewer, isPresent: boolean) {
      const isNew = isPresent && !entries.get(getKey(viewer))?.remoteExpiry.has(from);
      change(viewer, ({ remoteExpiry }) => {
        if (isPresent) remoteExpiry.set(from, Date.now() + PRESENCE_TTL_MS);
        else remoteExpiry.delete(from);
      });
      // A process with a new viewer must learn about viewers that were there before.
      const other = entries.get(getKey({ ...viewer, side: getOtherSide(viewer.side) }));
      if (isNew && other && other.localConnections.size > 0) publishLocalState(other);
    },
    isPresent: (viewer: ConversationViewer) => entries.has(getKey(viewer)),
    renew(now: number) {
      for (const entry of [...entries.values()]) {
        if (entry.localConnections.size > 0 && now - entry.publishedAt >= PRESENCE_REPEAT_MS)
          publishLocalState(entry);
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
