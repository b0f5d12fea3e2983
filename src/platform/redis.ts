import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

interface RedisLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface RedisScript {
  text: string;
  keys: readonly string[];
  args: readonly (string | number)[];
}

/** One connection to Redis that may go and come back at any time. Everything in Redis is short-lived and can be lost. */
export interface RedisConnection {
  /** Begins to connect, and goes on trying; does not wait for it. */
  open(): void;
  /**
   * Runs a script and reads its answer by `read`, which throws where it is not what it must be. Rejects at once while
   * Redis is away, and when it does not answer in time.
   */
  run<Result>(script: RedisScript, read: (answer: unknown) => Result): Promise<Result>;
  /** Has `hear` get what is published on a channel while Redis is there. Answers how to stop it. */
  subscribe(channel: string, onMessage: (text: string) => void): () => void;
  /** Whether the last thing heard of Redis was good. */
  isUp(): boolean;
  close(): void;
}

/** Time for an answer, and for a connection; in milliseconds. */
const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_DELAY_MS = 5_000;
/** A server that is connected and refuses is asked again after this time. */
const PROBE_DELAY_MS = 2_000;

/** That Redis takes writes again is shown by one: a full or read-only one answers all the same. */
const PROBE_SCRIPT = `return redis.call('SET', KEYS[1], '1', 'PX', '1000')`;

/**
 * A link to the Redis of a URL (redis:// or rediss://). Says in the log once when Redis goes and once when it is
 * back, whether the connection broke, it does not answer, or it refuses what is asked. Nothing is kept for later while
 * it is away.
 */
export function createRedisConnection({ url, log }: { url: string; log: RedisLog }): RedisConnection {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A server that hangs keeps its connections: without this, what is asked of it would pile up.
    socketTimeout: 2 * COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(2 ** times * 50, MAX_RECONNECT_DELAY_MS) * (0.75 + Math.random() / 2),
    disableClientInfo: true,
  });
  const probeKey = `qr:probe:${randomBytes(6).toString('hex')}`;
  let isUp: boolean | undefined;
  let isClosed = false;
  let nextProbe: NodeJS.Timeout | undefined;

  redis.on('ready', probe);
  redis.on('close', () => note(false, 'no connection'));
  // Told by 'close' already; without a listener it would be printed.
  redis.on('error', () => undefined);

  async function run<Result>({ text, keys, args }: RedisScript, read: (answer: unknown) => Result) {
    try {
      const result = read(await redis.eval(text, keys.length, ...keys, ...args));
      note(true);
      return result;
    } catch (error) {
      const isConnected = redis.status === 'ready';
      note(false, isConnected ? getRedisErrorReason(error) : 'no connection');
      // No new connection will tell when it is well again.
      if (isConnected && !isClosed) nextProbe ??= setTimeout(probe, PROBE_DELAY_MS).unref();
      throw error;
    }
  }

  function probe(): void {
    clearTimeout(nextProbe);
    nextProbe = undefined;
    run({ text: PROBE_SCRIPT, keys: [probeKey], args: [] }, () => undefined).catch(() => undefined);
  }

  function note(now: boolean, reason?: string): void {
    if (isClosed || isUp === now) return;
    const previous = isUp;
    isUp = now;
    if (!now) log.warn({ reason }, 'Redis is away: limits are shared through the database meanwhile');
    else log.info({}, previous === undefined ? 'Redis is connected' : 'Redis is back');
  }

  return {
    open: () => void redis.connect().catch(() => undefined),
    run,
    subscribe(channel, onMessage) {
      // Nothing may be said for hours on a connection that listens: it is not to count as one that hangs.
      const subscriber = redis.duplicate({ socketTimeout: undefined, commandTimeout: undefined });
      subscriber.on('error', () => undefined);
      subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => undefined));
      subscriber.on('message', (_channel, text) => onMessage(text));
      subscriber.connect().catch(() => undefined);
      return () => subscriber.disconnect();
    },
    isUp: () => isUp === true,
    close() {
      isClosed = true;
      clearTimeout(nextProbe);
      redis.disconnect();
    },
  };
}

/** The first word of what Redis says (OOM, READONLY, NOAUTH, …); the rest may repeat what was sent. */
function getRedisErrorReason(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return (
    /^[A-Z]{2,20}(?= )/.exec(text)?.[0] ??
    (/timed out/i.test(text) ? 'no answer in time' : 'an answer that is not understood')
  );
}
