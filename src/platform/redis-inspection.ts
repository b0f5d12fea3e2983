import { Redis } from 'ioredis';
import { getRedisErrorReason } from './redis.ts';

export interface RedisState {
  version: string;
  isReplica: boolean;
  /** Null for no limit. */
  maxMemoryBytes: number | null;
  evictionPolicy: string;
}

/** Why Redis cannot be used; the message has no part of the URL. */
export class RedisInspectionError extends Error {
  override readonly name = 'RedisInspectionError';
}

const TIMEOUT_MS = 4_000;

/** Ping Redis and read its state, on a connection of its own, writing nothing. @throws RedisInspectionError */
export async function readRedisState(url: string): Promise<RedisState> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    disableClientInfo: true,
  });
  // `connect` rejects without the reason.
  let reason: unknown;
  redis.on('error', (error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
    return parseRedisInfo(await redis.info());
  } catch (error) {
    throw new RedisInspectionError(describeReason(reason ?? error), { cause: error });
  } finally {
    redis.disconnect();
  }
}

function describeReason(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : getRedisErrorReason(error);
}

function parseRedisInfo(text: string): RedisState {
  const fields = new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)] as const;
    }),
  );
  return {
    version: fields.get('redis_version') ?? 'unknown',
    isReplica: fields.get('role') === 'slave',
    maxMemoryBytes: Number(fields.get('maxmemory')) || null,
    evictionPolicy: fields.get('maxmemory_policy') ?? 'unknown',
  };
}
