import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { traceCall } from '../shared/tracing.ts';

interface RedisLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface RedisScript {
  text: string;
  keys: readonly string[];
  args: readonly (string | number)[];
}

export interface RedisConnection {
  open(): void;
  /** Run a script and parse its result by `read`; rejects immediately while Redis is unavailable. */
  run<Result>(script: RedisScript, read: (answer: unknown) => Result): Promise<Result>;
  subscribe(channel: string, onMessage: (text: string) => void): () => void;
  isUp(): boolean;
  close(): void;
}

const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_DELAY_MS = 5_000;
const PROBE_DELAY_MS = 2_000;
const HEARTBEAT_INTERVAL_MS = 5_000;

/** Probes with a write, because a full or read-only server still answers reads. */
const PROBE_SCRIPT = `return redis.call('SET', KEYS[1], '1', 'PX', '1000')`;

/** Scripts are the only commands of requests and jobs. */
const EVAL_SPAN = {
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVAL' },
} as const;

/** Create a connection that logs each outage and each recovery once. Commands are not queued meanwhile. */
export function createRedisConnection({
  url,
  log,
  heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS,
}: {
  url: string;
  log: RedisLog;
  heartbeatIntervalMs?: number;
}): RedisConnection {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A hanging server keeps its connections: without a timeout commands would pile up.
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
  // 'close' reports it already; without a listener it would be printed.
  redis.on('error', () => undefined);

  async function run<Result>({ text, keys, args }: RedisScript, read: (answer: unknown) => Result) {
    try {
      const answer = await traceCall('EVAL', EVAL_SPAN, () =>
        redis.eval(text, keys.length, ...keys, ...args),
      );
      const result = read(answer);
      note(true);
      return result;
    } catch (error) {
      const isConnected = redis.status === 'ready';
      note(false, isConnected ? getRedisErrorReason(error) : 'no connection');
      // No reconnect will report the recovery.
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
    if (!now) log.warn({ reason }, 'Redis is unavailable: limits are shared through the database');
    else log.info({}, previous === undefined ? 'Redis is connected' : 'Redis is available again');
  }

  return {
    open: () => void redis.connect().catch(() => undefined),
    run,
    subscribe(channel, onMessage) {
      // A subscriber only receives: without heartbeats it would never notice a server that is gone.
      const subscriber = redis.duplicate({
        socketTimeout: 2 * heartbeatIntervalMs,
        commandTimeout: undefined,
      });
      const heartbeat = setInterval(() => {
        if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined);
      }, heartbeatIntervalMs).unref();
      subscriber.on('error', () => undefined);
      subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => undefined));
      subscriber.on('message', (_channel, text) => onMessage(text));
      subscriber.connect().catch(() => undefined);
      return () => {
        clearInterval(heartbeat);
        subscriber.disconnect();
      };
    },
    isUp: () => isUp === true,
    close() {
      isClosed = true;
      clearTimeout(nextProbe);
      redis.disconnect();
    },
  };
}

/** Get the error prefix of Redis (OOM, READONLY, NOAUTH, …); the rest can repeat arguments. */
export function getRedisErrorReason(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return /^[A-Z]{2,20}(?= )/.exec(text)?.[0] ?? (/timed out/i.test(text) ? 'timeout' : 'unexpected response');
}
