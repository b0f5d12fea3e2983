import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { RedisConnection } from '../redis.ts';
import { openPgNotificationListener } from './notification-listener.ts';
import { sendPgNotifications } from './pg-notify.repository.ts';
import {
  type AccountEphemeralEvent,
  type EphemeralEvent,
  encodeRealtimeMessages,
  parseRealtimeMessage,
  type RealtimeMessage,
} from './realtime-messages.ts';

/** Pub/sub between instances: topics with something new, and ephemeral events. Messages can be lost. */
export interface RealtimeBus {
  /** Publish topics to this process immediately and to others soon; null for all topics. */
  publishTopics(topics: Iterable<string> | null): void;
  /** Publish to other processes. */
  publishEphemeral(ephemeralEvent: EphemeralEvent): void;
  /** Publish to the sockets of an account in all processes, soon: those about one object are combined into the newest. */
  publishToAccount(ephemeralEvent: AccountEphemeralEvent): void;
  subscribe(listener: (realtimeMessage: RealtimeMessage) => void): void;
  listen(): void;
  stop(): Promise<void>;
}

const MIN_SEND_INTERVAL_MS = 50;
/** Further ephemeral events within one interval are dropped. */
const MAX_EPHEMERAL_EVENTS = 2_000;

/** They wait for the topics that their consequences publish, such as a notification, and are sent with them. */
const ACCOUNT_EVENT_DELAY_MS = 200;
/** Further ones within that time are dropped. */
const MAX_ACCOUNT_EVENTS = 500;

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
  let accountEvents = new Map<string, AccountEphemeralEvent>();
  let timer: NodeJS.Timeout | undefined;
  let timerEndsAt = 0;
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

  function scheduleSend(delayMs = 0): void {
    if (sending || isStopped) return;
    const now = performance.now();
    const sendsAt = Math.max(now + delayMs, sentAt + MIN_SEND_INTERVAL_MS);
    if (timer && timerEndsAt <= sendsAt) return;
    clearTimeout(timer);
    timerEndsAt = sendsAt;
    timer = setTimeout(() => {
      timer = undefined;
      sentAt = performance.now();
      sending = send().finally(() => {
        sending = null;
        if (isEverywhere || topics.size + ephemeralEvents.length > 0) scheduleSend();
        else if (accountEvents.size > 0) scheduleSend(ACCOUNT_EVENT_DELAY_MS);
      });
    }, sendsAt - now).unref();
  }

  async function send(): Promise<void> {
    const forAccounts = [...accountEvents.values()];
    const events = [...ephemeralEvents, ...forAccounts];
    const payloads = encodeRealtimeMessages(from, isEverywhere ? null : [...topics], events);
    isEverywhere = false;
    topics = new Set();
    ephemeralEvents = [];
    accountEvents = new Map();
    if (forAccounts.length > 0) dispatch({ from, words: [], ephemeralEvents: forAccounts });
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
    publishToAccount(ephemeralEvent) {
      const { event, accountId, data } = ephemeralEvent;
      const key = `${event} ${accountId} ${'importId' in data ? data.importId : data.qrCodeId}`;
      if (accountEvents.size < MAX_ACCOUNT_EVENTS || accountEvents.has(key))
        accountEvents.set(key, ephemeralEvent);
      scheduleSend(ACCOUNT_EVENT_DELAY_MS);
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
