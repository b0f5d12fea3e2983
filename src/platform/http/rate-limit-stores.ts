import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis.ts';

export type SqlQueryRunner = (sql: string, params: unknown[]) => Promise<{ rows: unknown[] }>;

export interface RateLimitWindowCount {
  key: string;
  own: number;
  /** Those of them that were not reported to this store yet. */
  fresh: number;
  /** End of the window, in milliseconds since 1970. */
  endsAt: number;
}

export interface RateLimitStore {
  /** Report hits and return those of all instances by key, where known. Rejects if unavailable, full or invalid. */
  exchange(counts: readonly RateLimitWindowCount[]): Promise<Map<string, number>>;
  /** Delete windows that ended long ago. Absent if the store expires them itself. */
  sweep?(): Promise<void>;
}

/** Create the stores of the service, preferred first: each replaces the one before while that is unavailable. */
export function createRateLimitStores(sources: {
  redis?: RedisConnection | null;
  query?: SqlQueryRunner;
}): RateLimitStore[] {
  return [
    ...(sources.redis ? [createRedisRateLimitStore(sources.redis)] : []),
    ...(sources.query ? [createPostgresRateLimitStore(sources.query)] : []),
  ];
}

const ADD_HITS_SQL = `
  INSERT INTO rate_counters AS mine (key, hits, window_ends_at)
  SELECT key, hits, to_timestamp(ends_at / 1000.0)
    FROM unnest($1::text[], $2::int[], $3::float8[]) AS sent (key, hits, ends_at)
  ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN mine.window_ends_at < excluded.window_ends_at THEN excluded.hits
                WHEN mine.window_ends_at = excluded.window_ends_at THEN mine.hits + excluded.hits
                ELSE mine.hits END,
    window_ends_at = greatest(mine.window_ends_at, excluded.window_ends_at)
  RETURNING key, hits, extract(epoch FROM window_ends_at) * 1000 AS ends_at`;
const DELETE_EXPIRED_SQL = `DELETE FROM rate_counters WHERE window_ends_at < now() - interval '1 hour'`;

export function createPostgresRateLimitStore(query: SqlQueryRunner): RateLimitStore {
  return {
    async exchange(counts) {
      // Sorted, so that two instances do not deadlock on each other's rows.
      const sent = [...counts].sort((count, other) => (count.key < other.key ? -1 : 1));
      const columns = [
        sent.map((count) => count.key),
        sent.map((count) => count.fresh),
        sent.map((count) => count.endsAt),
      ];
      const windows = new Map(sent.map((count) => [count.key, count.endsAt]));
      const totals = new Map<string, number>();
      for (const row of (await query(ADD_HITS_SQL, columns)).rows) {
        if (typeof row !== 'object' || row === null || !('key' in row) || !('hits' in row)) continue;
        const endsAt = 'ends_at' in row ? Math.round(Number(row.ends_at)) : 0;
        const key = String(row.key);
        if (windows.get(key) === endsAt) totals.set(key, Number(row.hits));
      }
      return totals;
    },
    async sweep() {
      await query(DELETE_EXPIRED_SQL, []);
    },
  };
}

/** One field per instance with its absolute count, so that a repeated report or data lost by Redis does no harm. */
const EXCHANGE_SCRIPT = `
  local totals = {}
  for i, key in ipairs(KEYS) do
    redis.call('HSET', key, ARGV[1], ARGV[2 * i])
    redis.call('PEXPIRE', key, ARGV[2 * i + 1])
    local sum = 0
    for _, hits in ipairs(redis.call('HVALS', key)) do sum = sum + tonumber(hits) end
    totals[i] = sum
  end
  return totals`;

/** Lifetime of a key after its window, for instances whose clocks differ. */
const KEY_GRACE_MS = 60_000;

export function createRedisRateLimitStore(redis: Pick<RedisConnection, 'run'>): RateLimitStore {
  const instance = randomBytes(9).toString('base64url');
  return {
    async exchange(counts) {
      const now = Date.now();
      const keys = counts.map(({ key, endsAt }) => `qr:rate:${key}:${endsAt}`);
      const args = counts.flatMap(({ own, endsAt }) => [own, Math.max(0, endsAt - now) + KEY_GRACE_MS]);
      const totals = await redis.run({ text: EXCHANGE_SCRIPT, keys, args: [instance, ...args] }, (answer) =>
        parseCounts(answer, counts.length),
      );
      return new Map(counts.map(({ key, own }, index) => [key, totals[index] ?? own]));
    },
  };
}

function parseCounts(answer: unknown, length: number): number[] {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  if (Array.isArray(answer) && answer.length === length && answer.every(isCount)) return answer;
  throw new Error('Redis returned an invalid response to an exchange of counts.');
}
