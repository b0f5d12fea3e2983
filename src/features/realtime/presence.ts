import type { SocketConnection } from './connection.ts';

/** One side of a conversation, as seen by its connections. */
export interface ConversationParticipant {
  conversationId: string;
  accountId: string;
  side: 'FINDER' | 'OWNER';
}

interface PresenceOutputs {
  notifyOtherSide(participant: ConversationParticipant, isPresent: boolean): void;
  publish(participant: ConversationParticipant, isPresent: boolean): void;
}

/** Other processes trust a published state for this time, so it is repeated before. */
const PRESENCE_TTL_MS = 45_000;
const PRESENCE_REPEAT_MS = 20_000;

interface PresenceEntry {
  participant: ConversationParticipant;
  localConnections: Set<SocketConnection>;
  remoteExpiry: Map<string, number>;
  publishedAt: number;
}

export type PresenceTracker = ReturnType<typeof createPresenceTracker>;

/** Track who has which conversation open in all processes, in memory only. */
export function createPresenceTracker({ notifyOtherSide, publish }: PresenceOutputs) {
  const entries = new Map<string, PresenceEntry>();
  const participantsByConnection = new Map<SocketConnection, Map<string, ConversationParticipant>>();

  function change(participant: ConversationParticipant, work: (entry: PresenceEntry) => void): void {
    const key = getKey(participant);
    const entry = entries.get(key) ?? {
      participant,
      localConnections: new Set(),
      remoteExpiry: new Map(),
      publishedAt: 0,
    };
    const before = hasConnection(entry);
    const hadLocalConnections = entry.localConnections.size > 0;
    work(entry);
    if (hasConnection(entry)) entries.set(key, entry);
    else entries.delete(key);
    if (hadLocalConnections !== entry.localConnections.size > 0) publishLocalState(entry);
    if (before !== hasConnection(entry)) notifyOtherSide(participant, hasConnection(entry));
  }

  function publishLocalState(entry: PresenceEntry): void {
    entry.publishedAt = Date.now();
    publish(entry.participant, entry.localConnections.size > 0);
  }

  function unwatch(connection: SocketConnection, conversationId: string): void {
    const all = participantsByConnection.get(connection);
    const participant = all?.get(conversationId);
    if (!all || !participant) return;
    all.delete(conversationId);
    if (all.size === 0) participantsByConnection.delete(connection);
    change(participant, ({ localConnections }) => localConnections.delete(connection));
  }

  return {
    watch(connection: SocketConnection, participant: ConversationParticipant) {
      const all = participantsByConnection.get(connection) ?? new Map<string, ConversationParticipant>();
      participantsByConnection.set(connection, all.set(participant.conversationId, participant));
      change(participant, ({ localConnections }) => localConnections.add(connection));
    },
    unwatch,
    listWatched: () =>
      [...participantsByConnection].flatMap(([connection, all]) =>
        [...all.values()].map((participant) => ({ connection, ...participant })),
      ),
    count: (connection: SocketConnection) => participantsByConnection.get(connection)?.size ?? 0,
    removeConnection(connection: SocketConnection) {
      for (const id of [...(participantsByConnection.get(connection)?.keys() ?? [])]) unwatch(connection, id);
    },
    /** Forget a conversation that has ended, without notifying the other side. */
    end(conversationId: string) {
      for (const side of ['FINDER', 'OWNER'] as const) {
        const key = `${conversationId} ${side}`;
        for (const connection of entries.get(key)?.localConnections ?? [])
          participantsByConnection.get(connection)?.delete(conversationId);
        entries.delete(key);
      }
    },
    receive(from: string, participant: ConversationParticipant, isPresent: boolean) {
      const isNew = isPresent && !entries.get(getKey(participant))?.remoteExpiry.has(from);
      change(participant, ({ remoteExpiry }) => {
        if (isPresent) remoteExpiry.set(from, Date.now() + PRESENCE_TTL_MS);
        else remoteExpiry.delete(from);
      });
      // A process with a new participant must learn about participants that were there before.
      const other = entries.get(getKey({ ...participant, side: getOtherConversationSide(participant.side) }));
      if (isNew && other && other.localConnections.size > 0) publishLocalState(other);
    },
    isPresent: (participant: ConversationParticipant) => entries.has(getKey(participant)),
    renew(now: number) {
      for (const entry of [...entries.values()]) {
        if (entry.localConnections.size > 0 && now - entry.publishedAt >= PRESENCE_REPEAT_MS)
          publishLocalState(entry);
        const silent = [...entry.remoteExpiry].filter(([, until]) => until <= now);
        if (silent.length > 0)
          change(entry.participant, ({ remoteExpiry }) => {
            for (const [process] of silent) remoteExpiry.delete(process);
          });
      }
    },
  };
}

export function getOtherConversationSide(
  side: ConversationParticipant['side'],
): ConversationParticipant['side'] {
  return side === 'OWNER' ? 'FINDER' : 'OWNER';
}

function getKey({ conversationId, side }: ConversationParticipant): string {
  return `${conversationId} ${side}`;
}

function hasConnection({ localConnections, remoteExpiry }: PresenceEntry): boolean {
  return localConnections.size > 0 || remoteExpiry.size > 0;
}
