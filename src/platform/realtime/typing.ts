import { LRUCache } from 'lru-cache';
import type { RealtimeBus } from './realtime-bus.ts';
import type { ConversationEphemeralEvent } from './realtime-messages.ts';

export type TypingParticipant = Pick<ConversationEphemeralEvent, 'conversationId' | 'accountId' | 'side'>;

/** Who is typing, in all processes; in memory only. */
export interface TypingTracker {
  /** Tell the other side, at most every two seconds. The conversation is open, and its side is checked. */
  publish(participant: TypingParticipant): void;
  isTyping(participant: Pick<TypingParticipant, 'conversationId' | 'side'>): boolean;
  subscribe(listener: (participant: TypingParticipant) => void): void;
}

const MIN_INTERVAL_MS = 2_000;
/** Somebody who types is published again before. */
const TYPING_TTL_MS = 10_000;
const MAX_ENTRIES = 10_000;

export function createTypingTracker(
  realtimeBus: Pick<RealtimeBus, 'publishEphemeral' | 'subscribe' | 'listen'>,
): TypingTracker {
  const typing = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: TYPING_TTL_MS });
  const published = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: MIN_INTERVAL_MS });
  const listeners: ((participant: TypingParticipant) => void)[] = [];
  let isSubscribed = false;

  function receive({ conversationId, accountId, side }: TypingParticipant): void {
    typing.set(getKey({ conversationId, side }), true);
    for (const listener of listeners) listener({ conversationId, accountId, side });
  }

  function subscribeToBus(): void {
    if (isSubscribed) return;
    isSubscribed = true;
    realtimeBus.subscribe(({ ephemeralEvents }) => {
      for (const one of ephemeralEvents) if (one.event === 'typing') receive(one);
    });
  }

  return {
    publish(participant) {
      const key = getKey(participant);
      if (published.has(key)) return;
      published.set(key, true);
      receive(participant);
      realtimeBus.publishEphemeral({ event: 'typing', ...participant });
    },
    isTyping(participant) {
      // Other processes are heard from the first question on.
      subscribeToBus();
      realtimeBus.listen();
      return typing.has(getKey(participant));
    },
    subscribe(listener) {
      subscribeToBus();
      listeners.push(listener);
    },
  };
}

function getKey({ conversationId, side }: Pick<TypingParticipant, 'conversationId' | 'side'>): string {
  return `${conversationId} ${side}`;
}
