import type { Connection } from './connection.ts';

/** A side of a conversation that looks at it. */
export interface Look {
  conversationId: string;
  /** The owner of the code that it is about. */
  ownerId: string;
  side: 'FINDER' | 'OWNER';
}

interface Outlets {
  /** Tells the other side, here. */
  show(look: Look, isPresent: boolean): void;
  /** Tells other processes what is true in this one. */
  pass(look: Look, isPresent: boolean): void;
}

/** Others believe what a process said for so long; it says it again in time. */
const BELIEVED_MS = 45_000;
const REPEATED_MS = 20_000;

interface Entry {
  look: Look;
  here: Set<Connection>;
  /** Other processes in which somebody looks, and until when that is believed. */
  elsewhere: Map<string, number>;
  repeatedAt: number;
}

export type Presence = ReturnType<typeof createPresence>;

/** Who looks at which conversation, in all processes; kept in memory alone. */
export function createPresence({ show, pass }: Outlets) {
  const entries = new Map<string, Entry>();
  const looks = new Map<Connection, Map<string, Look>>();

  function change(look: Look, work: (entry: Entry) => void): void {
    const key = keyOf(look);
    const entry = entries.get(key) ?? { look, here: new Set(), elsewhere: new Map(), repeatedAt: 0 };
    const before = isThere(entry);
    const wasHere = entry.here.size > 0;
    work(entry);
    if (isThere(entry)) entries.set(key, entry);
    else entries.delete(key);
    if (wasHere !== entry.here.size > 0) repeat(entry);
    if (before !== isThere(entry)) show(look, isThere(entry));
  }

  function repeat(entry: Entry): void {
    entry.repeatedAt = Date.now();
    pass(entry.look, entry.here.size > 0);
  }

  /** A socket looks away from a conversation; nothing where it did not look. */
  function unwatch(connection: Connection, conversationId: string): void {
    const all = looks.get(connection);
    const look = all?.get(conversationId);
    if (!all || !look) return;
    all.delete(conversationId);
    if (all.size === 0) looks.delete(connection);
    change(look, ({ here }) => here.delete(connection));
  }

  return {
    /** A side looks, at a socket of this process. */
    watch(connection: Connection, look: Look) {
      const all = looks.get(connection) ?? new Map<string, Look>();
      looks.set(connection, all.set(look.conversationId, look));
      change(look, ({ here }) => here.add(connection));
    },
    unwatch,
    /** At how many conversations a socket looks. */
    count: (connection: Connection) => looks.get(connection)?.size ?? 0,
    /** A socket is gone. */
    forget(connection: Connection) {
      for (const id of [...(looks.get(connection)?.keys() ?? [])]) unwatch(connection, id);
    },
    /** Nobody looks any more at a conversation that has ended, and nobody learns when the other left. */
    end(conversationId: string) {
      for (const side of ['FINDER', 'OWNER'] as const) {
        const key = `${conversationId} ${side}`;
        for (const connection of entries.get(key)?.here ?? []) looks.get(connection)?.delete(conversationId);
        entries.delete(key);
      }
    },
    /** What another process says of a side. */
    hear(from: string, look: Look, isPresent: boolean) {
      const isNew = isPresent && !entries.get(keyOf(look))?.elsewhere.has(from);
      change(look, ({ elsewhere }) => {
        if (isPresent) elsewhere.set(from, Date.now() + BELIEVED_MS);
        else elsewhere.delete(from);
      });
      // Whoever comes to a conversation is to know who was there before.
      const other = entries.get(keyOf({ ...look, side: otherSide(look.side) }));
      if (isNew && other && other.here.size > 0) repeat(other);
    },
    isPresent: (look: Look) => entries.has(keyOf(look)),
    /** Repeats what is true here, and forgets processes that were not heard of for long. */
    renew(now: number) {
      for (const entry of [...entries.values()]) {
        if (entry.here.size > 0 && now - entry.repeatedAt >= REPEATED_MS) repeat(entry);
        const silent = [...entry.elsewhere].filter(([, until]) => until <= now);
        if (silent.length > 0)
          change(entry.look, ({ elsewhere }) => {
            for (const [process] of silent) elsewhere.delete(process);
          });
      }
    },
  };
}

export function otherSide(side: Look['side']): Look['side'] {
  return side === 'OWNER' ? 'FINDER' : 'OWNER';
}

function keyOf({ conversationId, side }: Look): string {
  return `${conversationId} ${side}`;
}

function isThere({ here, elsewhere }: Entry): boolean {
  return here.size > 0 || elsewhere.size > 0;
}
