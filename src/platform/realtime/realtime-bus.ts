import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { RedisConnection } from '../redis.ts';
import { openPgNotificationListener } from './notification-listener.ts';
import { sendPgNotifications } from './pg-notify.repository.ts';
import {
  type EphemeralEvent,
  encodeRealtimeMessages,
  parseRealtimeMessage,
  type RealtimeMessage,
} from './realtime-messages.ts';

/** Pub/sub between instances: topics with something new, and ephemeral events. Messages can be lost. */
export interface RealtimeBus {
  /** Publish topics to this process immediately and to others soon; null for all topics. */
  publishTopics(topics: Iterable<string> | null): void;
  publishEphemeral(ephemeralEvent: EphemeralEvent): void;
  subscribe(listener: (realtimeMessage: RealtimeMessage) => void): void;
  listen(): void;
  stop(): Promise<void>;
}

const MIN_SEND_INTERVAL_MS = 50;
/** Further ephemeral events within one interval are dropped. */
const MAX_EPHEMERAL_EVENTS = 2_000;

const REDIS_CHANNEL = 'qr:realtime';
const PUBLISH_SCRIPT = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

interface RealtimeBusServices {
  database: Pick<Database, 'pool' | 'directUrl' | 'onCommit'>;
  redis: Pick<RedisConnection, 'run' | 'subscribe'> | null;
  log: { warn(details: object, message: string): void };
}

/** Create the bus, which publishes the topics of commits by Redis where available, else by NOTIFY. */
export function createRealtimeBus({ database, redis, log }: RealtimeBusServices): RealtimeBus {
  const from = randomUUID();
  const listeners = new Set<(realtimeMessage: RealtimeMessage) => void>();
  let topics = new Set<string>();
  let isEverywhere = false;
  let ephemeralEvents: EphemeralEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let sentAt = 0;
  const closers: (() => unknown)[] = [database.onCommit((committedTopics) => publishTopics(committedTopics))];
  let isListening = false;
  let isStopped = false;

  function publishTopics(newTopics: Iterable<string> | null): void {
    const all = newTopics && [...newTopics];
    if (all) for (const topic of all) topics.add(topic);
    else isEverywhere = true;
    dispatch({ from, words: all, ephemeralEvents: [] });
    scheduleSend();
  }

  function dispatch(realtimeMessage: RealtimeMessage): void {
    for (const listener of listeners) listener(realtimeMessage);
  }

  function scheduleSend(): void {
    if (timer || sending || isStopped) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        sentAt = performance.now();
        sending = send().finally(() => {
          sending = null;
          if (isEverywhere || topics.size + ephemeralEvents.length > 0) scheduleSend();
        });
      },
      Math.max(0, sentAt + MIN_SEND_INTERVAL_MS - performance.now()),
    ).unref();
  }

  async function send(): Promise<void> {
    const payloads = encodeRealtimeMessages(from, isEverywhere ? null : [...topics], ephemeralEvents);
    isEverywhere = false;
    topics = new Set();
    ephemeralEvents = [];
    if (payloads.length === 0) return;
    // Lost topics are found by the others' polling.
    await sendBy(payloads).catch(() => undefined);
  }

  async function sendBy(payloads: readonly string[]): Promise<void> {
    if (!redis) return sendPgNotifications(database.pool, payloads);
    try {
      for (const text of payloads)
        await redis.run({ text: PUBLISH_SCRIPT, keys: [REDIS_CHANNEL], args: [text] }, () => undefined);
    } catch {
      await sendPgNotifications(database.pool, payloads);
    }
  }

  function handlePayload(text: string): void {
    const realtimeMessage = parseRealtimeMessage(text);
    if (realtimeMessage.from !== from) dispatch(realtimeMessage);
  }

  return {
    publishTopics,
    publishEphemeral(ephemeralEvent) {
      if (ephemeralEvents.length < MAX_EPHEMERAL_EVENTS) ephemeralEvents.push(ephemeralEvent);
      scheduleSend();
    },
    subscribe: (listener) => void listeners.add(listener),
    listen() {
      if (isListening) return;
      isListening = true;
      const onConnected = () => dispatch({ from, words: null, ephemeralEvents: [] });
      const listener = openPgNotificationListener({
        url: database.directUrl,
        onPayload: handlePayload,
        onConnected,
        log,
      });
      closers.push(() => listener.close());
      if (redis) closers.push(redis.subscribe(REDIS_CHANNEL, handlePayload));
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
