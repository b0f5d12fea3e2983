import { createHmac } from 'node:crypto';
import type { RateLimitStore, RateLimitWindowCount } from './rate-limit-stores.ts';

export interface RateLimitWindowUsage {
  /** Hits in this window, including the current one. */
  hits: number;
  ttlMs: number;
}

export interface RateLimitCounters {
  /** Count a hit by what this process knows. */
  increment(key: string, windowMs: number): RateLimitWindowUsage;
  /** Count a hit; waits for the counts of other instances when this process has not reported many of its own. */
  incrementWithin(key: string, windowMs: number, max: number): Promise<RateLimitWindowUsage>;
  close(): Promise<void>;
}

export interface SharedRateLimitCountersOptions {
  /** Stores in which instances share their counts, preferred first. Without one the process counts alone. */
  stores?: readonly RateLimitStore[] | undefined;
  /** Keys are stored as HMACs under this secret, since they contain addresses. The same in every instance. */
  secret: string;
  /** Minimum time between two exchanges, in milliseconds. */
  flushMs?: number;
  retryMs?: number;
  /** Longest time that a hit waits for a store. */
  maxWaitMs?: number;
  onStandaloneChange?: (isStandalone: boolean) => void;
}

interface WindowCounter {
  stored: string | undefined;
  windowEndsAt: number;
  own: number;
  /** Hits of the other instances: the maximum that any store returned. */
  others: number;
  /** Hits of this process that each store knows, by index of the store. */
  reported: number[];
}

/** Share of a limit that an instance passes without asking: two instances pass at most 8 % too many. */
const UNREPORTED_SHARE = 0.04;

const MAX_KEYS = 50_000;
const FLUSH_BATCH_SIZE = 5_000;
const SWEEP_INTERVAL_MS = 600_000;

/**
 * Create counters that instances exchange in batches. Hits wait for an exchange only beyond a share of their limit, all of
 * one moment for the same one. Windows are aligned to the clock, so that instances agree on them.
 */
export function createSharedRateLimitCounters(options: SharedRateLimitCountersOptions): RateLimitCounters {
  const { stores = [], secret, flushMs = 500, retryMs = 5_000, maxWaitMs = 1_000 } = options;
  const { onStandaloneChange } = options;
  const counters = new Map<string, WindowCounter>();
  const pending = new Set<string>();
  const retryAt = stores.map(() => 0);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<unknown> = Promise.resolve();
  let nextFlush: Promise<unknown> | undefined;
  let sweptAt = Date.now();
  let isStandalone = false;
  let closed = false;

  return {
    increment: (key, windowMs) => toUsage(count(key, windowMs)),
    async incrementWithin(key, windowMs, max) {
      const hit = count(key, windowMs);
      const { counter, own } = hit;
      const unreported = own - Math.max(0, ...counter.reported);
      const isKnown = own + counter.others > max || unreported <= Math.floor(max * UNREPORTED_SHARE);
      if (!isKnown && stores.length > 0 && !isStandalone && !closed) await waitForExchange();
      return toUsage(hit);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await flushing;
    },
  };

  function count(key: string, windowMs: number): { counter: WindowCounter; own: number } {
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
    }
    // The last used ones stay, so that many new clients do not end the limit of a busy one.
    counters.delete(name);
    counters.set(name, counter);
    if (counters.size > MAX_KEYS) forgetOldest();
    counter.own++;
    pending.add(name);
    schedule(flushMs);
    return { counter, own: counter.own };
  }

  function toUsage({ counter, own }: { counter: WindowCounter; own: number }): RateLimitWindowUsage {
    return { hits: own + counter.others, ttlMs: Math.max(0, counter.windowEndsAt - Date.now()) };
  }

  /** Wait for an exchange that begins from now on. A store that does not answer costs `maxWaitMs`. */
  async function waitForExchange(): Promise<void> {
    nextFlush ??= queueFlush();
    let waiting: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      // In a busy process the answer can be there, and is read only after the timers.
      waiting = setTimeout(() => setImmediate(resolve), maxWaitMs);
    });
    await Promise.race([nextFlush, limit]);
    clearTimeout(waiting);
  }

  /** One at a time: a store would count hits twice that two exchanges report. */
  function queueFlush(): Promise<boolean> {
    const queued = flushing.then(() => {
      nextFlush = undefined;
      return flush();
    });
    flushing = queued;
    return queued;
  }

  function schedule(ms: number): void {
    if (stores.length === 0 || timer !== undefined || closed) return;
    timer = setTimeout(async () => {
      const done = await queueFlush();
      timer = undefined;
      if (pending.size > 0) schedule(done ? flushMs : retryMs);
    }, ms).unref();
  }

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

  function countOf(name: string, counter: WindowCounter, storeIndex: number): RateLimitWindowCount {
    counter.stored ??= hashKey(name, secret);
    const { stored: key, own, reported, windowEndsAt } = counter;
    return { key, own, fresh: own - (reported[storeIndex] ?? 0), endsAt: windowEndsAt };
  }

  function learn(
    name: string,
    { own, endsAt }: RateLimitWindowCount,
    storeIndex: number,
    total: number | undefined,
  ): void {
    const counter = counters.get(name);
    if (counter === undefined || counter.windowEndsAt !== endsAt) return;
    counter.reported[storeIndex] = own;
    // Never decrease: a store may lack counts that another one has.
    if (total !== undefined) counter.others = Math.max(counter.others, total - own);
  }

  function notifyStandaloneChange(now: boolean): void {
    if (isStandalone === now) return;
    isStandalone = now;
    onStandaloneChange?.(now);
  }

  function forgetOldest(): void {
    const [oldest] = counters.keys();
    if (oldest === undefined) return;
    counters.delete(oldest);
    pending.delete(oldest);
  }
}

function hashKey(key: string, secret: string): string {
  return createHmac('sha256', secret).update(key).digest('base64url').slice(0, 24);
}
