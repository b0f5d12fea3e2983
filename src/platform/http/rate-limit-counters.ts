import { createHmac } from 'node:crypto';

/** Runs one statement and gives its rows; rejects when the database is away. */
export type Query = (sql: string, params: unknown[]) => Promise<{ rows: unknown[] }>;

export interface Taken {
  /** Hits in this window, this one among them. */
  hits: number;
  /** Milliseconds until the window ends. */
  ttlMs: number;
}

/** Counts hits by key over fixed windows. A store in Redis would implement the same two functions. */
export interface Counters {
  take(key: string, windowMs: number): Taken;
  close(): Promise<void>;
}

export interface SharedCountersOptions {
  /** Without it this process counts alone. */
  query?: Query | undefined;
  /** Keys are stored as HMACs under this secret, since they hold addresses. The same in every instance. */
  secret: string;
  /** Least time between two statements, in milliseconds. */
  flushMs?: number;
  /** Pause after a failed statement, in milliseconds. */
  retryMs?: number;
  onError?: (error: unknown) => void;
}

interface Counter {
  windowEndsAt: number;
  /** What the table said last, over all instances. */
  shared: number;
  /** Our hits that the table does not have yet. */
  unsent: number;
}

const MAX_KEYS = 50_000;
const MAX_SENT = 5_000;
const SWEEP_MS = 600_000;

const ADD = `
  INSERT INTO rate_counters AS mine (key, hits, window_ends_at)
  SELECT key, hits, to_timestamp(ends_at / 1000.0)
    FROM unnest($1::text[], $2::int[], $3::float8[]) AS sent (key, hits, ends_at)
  ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN mine.window_ends_at < excluded.window_ends_at THEN excluded.hits
                WHEN mine.window_ends_at = excluded.window_ends_at THEN mine.hits + excluded.hits
                ELSE mine.hits END,
    window_ends_at = greatest(mine.window_ends_at, excluded.window_ends_at)
  RETURNING key, hits, extract(epoch FROM window_ends_at) * 1000 AS ends_at`;
const SWEEP = `DELETE FROM rate_counters WHERE window_ends_at < now() - interval '1 hour'`;

/**
 * Counters that instances share through the table rate_counters without a statement a request: hits count in
 * memory at once and are added to the table together, at most every `flushMs` (500 ms), by one statement that
 * reads the others' totals back. So an instance knows of hits elsewhere after one second at most, and a limit can
 * be overrun by what the others took in that second. While the database is away each instance counts alone.
 * Windows are aligned to the clock, so that instances agree on them without asking.
 */
export function sharedCounters(options: SharedCountersOptions): Counters {
  const { query, secret, flushMs = 500, retryMs = 5_000, onError } = options;
  const counters = new Map<string, Counter>();
  const unsent = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let sweptAt = Date.now();
  let closed = false;

  return {
    take(key, windowMs) {
      const now = Date.now();
      const stored = hashed(`${windowMs} ${key}`, secret);
      let counter = counters.get(stored);
      if (counter === undefined || counter.windowEndsAt <= now) {
        counter = { windowEndsAt: (Math.floor(now / windowMs) + 1) * windowMs, shared: 0, unsent: 0 };
        counters.delete(stored);
        counters.set(stored, counter);
        if (counters.size > MAX_KEYS) forgetOldest();
      }
      counter.unsent++;
      unsent.add(stored);
      schedule(flushMs);
      return { hits: counter.shared + counter.unsent, ttlMs: counter.windowEndsAt - now };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await flushing;
    },
  };

  function schedule(ms: number): void {
    if (query === undefined || timer !== undefined || closed) return;
    timer = setTimeout(() => {
      flushing = flush(query).then(
        () => next(flushMs),
        (error) => {
          onError?.(error);
          next(retryMs);
        },
      );
    }, ms).unref();
  }

  function next(ms: number): void {
    timer = undefined;
    if (unsent.size > 0) schedule(ms);
  }

  async function flush(run: Query): Promise<void> {
    const sent = [...unsent]
      .slice(0, MAX_SENT)
      .sort()
      .map(taken)
      .filter((one) => one !== undefined);
    if (sent.length === 0) return;
    try {
      const columns = [
        sent.map((one) => one.key),
        sent.map((one) => one.hits),
        sent.map((one) => one.endsAt),
      ];
      const { rows } = await run(ADD, columns);
      for (const row of rows) learn(row);
    } catch (error) {
      for (const { key, hits, endsAt } of sent) giveBack(key, hits, endsAt);
      throw error;
    }
    if (Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      await run(SWEEP, []);
    }
  }

  /** Hits on their way are counted as shared already, so that a request meanwhile sees them. */
  function taken(key: string): { key: string; hits: number; endsAt: number } | undefined {
    unsent.delete(key);
    const counter = counters.get(key);
    if (counter === undefined || counter.unsent === 0) return undefined;
    const hits = counter.unsent;
    counter.unsent = 0;
    counter.shared += hits;
    return { key, hits, endsAt: counter.windowEndsAt };
  }

  function giveBack(key: string, hits: number, endsAt: number): void {
    const counter = counters.get(key);
    if (counter === undefined || counter.windowEndsAt !== endsAt) return;
    counter.shared -= hits;
    counter.unsent += hits;
    unsent.add(key);
  }

  function learn(row: unknown): void {
    if (typeof row !== 'object' || row === null || !('key' in row) || !('hits' in row)) return;
    const counter = counters.get(String(row.key));
    const endsAt = 'ends_at' in row ? Math.round(Number(row.ends_at)) : 0;
    if (counter !== undefined && counter.windowEndsAt === endsAt) counter.shared = Number(row.hits);
  }

  function forgetOldest(): void {
    const [oldest] = counters.keys();
    if (oldest !== undefined) counters.delete(oldest);
  }
}

function hashed(key: string, secret: string): string {
  return createHmac('sha256', secret).update(key).digest('base64url').slice(0, 24);
}
