import { createHmac } from 'node:crypto';
import type { RateLimitStore, WindowCount } from './rate-limit-stores.ts';

export interface WindowUsage {
  /** Hits in this window, this one among them. */
  hits: number;
  /** Milliseconds until the window ends. */
  ttlMs: number;
}

/** Counts hits by key over fixed windows. */
export interface RateLimitCounters {
  increment(key: string, windowMs: number): WindowUsage;
  close(): Promise<void>;
}

export interface SharedCountersOptions {
  /** Where instances share their counts, the preferred first; with none this process counts alone. */
  stores?: readonly RateLimitStore[] | undefined;
  /** Keys are stored as HMACs under this secret, since they hold addresses. The same in every instance. */
  secret: string;
  /** Least time between two exchanges, in milliseconds. */
  flushMs?: number;
  /** For how long a store is left alone after it failed, in milliseconds. */
  retryMs?: number;
  /** Told once when no store answers any more, and once when one does again. */
  onStandaloneChange?: (isAlone: boolean) => void;
}

interface WindowCounter {
  /** The key as it is stored, once it was. */
  stored: string | undefined;
  windowEndsAt: number;
  /** Hits of this process. */
  own: number;
  /** The most that any store said of the other instances. */
  others: number;
  /** How many of our own each store was told, by its place. */
  reported: number[];
}

const MAX_KEYS = 50_000;
const FLUSH_BATCH_SIZE = 5_000;
const SWEEP_INTERVAL_MS = 600_000;

/**
 * Counters that instances share through a store without asking it in a request: hits count in memory at once and
 * are exchanged together, at most every `flushMs` (500 ms), with the totals of all instances. So an instance knows of
 * hits elsewhere after one second at most, and a limit can be overrun by what the others took in that second. When a
 * store fails, the same exchange goes to the next one; with none left each instance counts alone. What was counted
 * stays counted when the store changes. Windows are aligned to the clock, so that instances agree on them without asking.
 */
export function createSharedCounters(options: SharedCountersOptions): RateLimitCounters {
  const { stores = [], secret, flushMs = 500, retryMs = 5_000, onStandaloneChange } = options;
  const counters = new Map<string, WindowCounter>();
  const pending = new Set<string>();
  const retryAt = stores.map(() => 0);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let sweptAt = Date.now();
  let isStandalone = false;
  let closed = false;

  return {
    increment(key, windowMs) {
      const now = Date.now();
      const name = `${windowMs} ${key}`;
      let counter = counters.get(name);
      if (counter === undefined || counter.windowEndsAt <= now) {
        counter = {
          stored: undefined,
          windowEndsAt: (Math.floor(now / windowMs) + 1) * windowMs,
          own: 0,
          others: 0,
          reported: stores.map(() => 0),
        };
        counters.delete(name);
        counters.set(name, counter);
        if (counters.size > MAX_KEYS) forgetOldest();
      }
      counter.own++;
      pending.add(name);
      schedule(flushMs);
      return { hits: counter.own + counter.others, ttlMs: counter.windowEndsAt - now };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await flushing;
    },
  };

  function schedule(ms: number): void {
    if (stores.length === 0 || timer !== undefined || closed) return;
    timer = setTimeout(() => {
      flushing = flush().then((done) => {
        timer = undefined;
        if (pending.size > 0) schedule(done ? flushMs : retryMs);
      });
    }, ms).unref();
  }

  /** Exchanges with the first store that answers; false when none does. */
  async function flush(): Promise<boolean> {
    const keys = [...pending].slice(0, FLUSH_BATCH_SIZE);
    for (const key of keys) pending.delete(key);
    for (const [storeIndex, store] of stores.entries()) {
      if (retryAt[storeIndex] !== undefined && retryAt[storeIndex] > Date.now()) continue;
      try {
        await exchange(store, storeIndex, keys);
        notifyStandaloneChange(false);
        return true;
      } catch {
        retryAt[storeIndex] = Date.now() + retryMs;
      }
    }
    for (const key of keys) if (counters.has(key)) pending.add(key);
    notifyStandaloneChange(true);
    return false;
  }

  async function exchange(store: RateLimitStore, storeIndex: number, keys: readonly string[]): Promise<void> {
    const counts = keys.flatMap((name) => {
      const counter = counters.get(name);
      return counter === undefined ? [] : [{ name, count: countOf(name, counter, storeIndex) }];
    });
    if (counts.length > 0) {
      const totals = await store.exchange(counts.map(({ count }) => count));
      for (const { name, count } of counts) learn(name, count, storeIndex, totals.get(count.key));
    }
    if (store.sweep && Date.now() - sweptAt > SWEEP_INTERVAL_MS) {
      sweptAt = Date.now();
      await store.sweep();
    }
  }

  function countOf(name: string, counter: WindowCounter, storeIndex: number): WindowCount {
    counter.stored ??= hashKey(name, secret);
    const { stored: key, own, reported, windowEndsAt } = counter;
    return { key, own, fresh: own - (reported[storeIndex] ?? 0), endsAt: windowEndsAt };
  }

  function learn(
    name: string,
    { own, endsAt }: WindowCount,
    storeIndex: number,
    total: number | undefined,
  ): void {
    const counter = counters.get(name);
    if (counter === undefined || counter.windowEndsAt !== endsAt) return;
    counter.reported[storeIndex] = own;
    // Never less than before: a store may have lost what another one knew.
    if (total !== undefined) counter.others = Math.max(counter.others, total - own);
  }

  function notifyStandaloneChange(now: boolean): void {
    if (isStandalone === now) return;
    isStandalone = now;
    onStandaloneChange?.(now);
  }

  function forgetOldest(): void {
    const [oldest] = counters.keys();
    if (oldest !== undefined) counters.delete(oldest);
  }
}

function hashKey(key: string, secret: string): string {
  return createHmac('sha256', secret).update(key).digest('base64url').slice(0, 24);
}
