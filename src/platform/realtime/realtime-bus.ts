import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { RedisConnection } from '../redis.ts';
import { openNotificationListener } from './notification-listener.ts';
import { notifyListeners } from './pg-notify.repository.ts';
import {
  type EphemeralEvent,
  encodeRealtimeMessages,
  parseRealtimeMessage,
  type RealtimeMessage,
} from './realtime-messages.ts';

/** What processes tell each other: where something is new, and what is too fleeting to be stored. May be lost. */
export interface RealtimeBus {
  /** Has this process look there at once, and the others soon; null: everywhere. */
  publishTopics(words: Iterable<string> | null): void;
  /** Publishes an ephemeral event to the other instances. */
  publishEphemeral(ephemeralEvent: EphemeralEvent): void;
  /** Has `listener` hear what this process and, once `listen` was called, others tell. */
  subscribe(listener: (realtimeMessage: RealtimeMessage) => void): void;
  /** Begins to listen to other processes. The same again does nothing. */
  listen(): void;
  /** Tells what is left to be told, and stops listening. */
  stop(): Promise<void>;
}

/** Others are told once in so many milliseconds at most. */
const MIN_SEND_INTERVAL_MS = 50;
/** Whispers beyond so many a pause are not passed on. */
const MAX_EPHEMERAL_EVENTS = 2_000;

const REDIS_CHANNEL = 'qr:realtime';
const PUBLISH_SCRIPT = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

interface RealtimeBusServices {
  database: Pick<Database, 'pool' | 'onCommit'>;
  redis: Pick<RedisConnection, 'run' | 'subscribe'> | null;
  log: { warn(details: object, message: string): void };
}

/**
 * Tells what commits of this process leave (`tellAfterCommit`): by Redis where there is one and it answers, else by a
 * notification of the database.
 */
export function createRealtimeBus({ database, redis, log }: RealtimeBusServices): RealtimeBus {
  const from = randomUUID();
  const listeners = new Set<(realtimeMessage: RealtimeMessage) => void>();
  let words = new Set<string>();
  let isEverywhere = false;
  let ephemeralEvents: EphemeralEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let sentAt = 0;
  const closers: (() => unknown)[] = [database.onCommit((committedTopics) => publishTopics(committedTopics))];
  let isListening = false;
  let isStopped = false;

  function publishTopics(added: Iterable<string> | null): void {
    const all = added && [...added];
    if (all) for (const word of all) words.add(word);
    else isEverywhere = true;
    pass({ from, words: all, ephemeralEvents: [] });
    plan();
  }

  function pass(realtimeMessage: RealtimeMessage): void {
    for (const listener of listeners) listener(realtimeMessage);
  }

  function plan(): void {
    if (timer || sending || isStopped) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        sentAt = performance.now();
        sending = send().finally(() => {
          sending = null;
          if (isEverywhere || words.size + ephemeralEvents.length > 0) plan();
        });
      },
      Math.max(0, sentAt + MIN_SEND_INTERVAL_MS - performance.now()),
    ).unref();
  }

  async function send(): Promise<void> {
    const payloads = encodeRealtimeMessages(from, isEverywhere ? null : [...words], ephemeralEvents);
    isEverywhere = false;
    words = new Set();
    ephemeralEvents = [];
    if (payloads.length === 0) return;
    // What is not told is found when the others look by themselves.
    await sendBy(payloads).catch(() => undefined);
  }

  async function sendBy(payloads: readonly string[]): Promise<void> {
    if (!redis) return notifyListeners(database.pool, payloads);
    try {
      for (const text of payloads)
        await redis.run({ text: PUBLISH_SCRIPT, keys: [REDIS_CHANNEL], args: [text] }, () => undefined);
    } catch {
      await notifyListeners(database.pool, payloads);
    }
  }

  function hearText(text: string): void {
    const realtimeMessage = parseRealtimeMessage(text);
    if (realtimeMessage.from !== from) pass(realtimeMessage);
  }

  return {
    publishTopics,
    publishEphemeral(ephemeralEvent) {
      if (ephemeralEvents.length < MAX_EPHEMERAL_EVENTS) ephemeralEvents.push(ephemeralEvent);
      plan();
    },
    subscribe: (listener) => void listeners.add(listener),
    listen() {
      if (isListening) return;
      isListening = true;
      const { connectionString = '' } = database.pool.options;
      const onConnected = () => pass({ from, words: null, ephemeralEvents: [] });
      const listener = openNotificationListener({ connectionString, onPayload: hearText, onConnected, log });
      closers.push(() => listener.close());
      if (redis) closers.push(redis.subscribe(REDIS_CHANNEL, hearText));
    },
    async stop() {
      isStopped = true;
      listeners.clear();
      const [commits, ...rest] = closers;
      commits?.();
      clearTimeout(timer);
      await sending;
      await send();
      await Promise.all(rest.map((close) => close()));
    },
  };
}
