import { createHmac } from 'node:crypto';
import type { Count, CounterStore } from './rate-limit-stores.ts';

export interface Taken {
  /** Hits in this window, this one among them. */
  hits: number;
  /** Milliseconds until the window ends. */
  ttlMs: number;
}

/** Counts hits by key over fixed windows. */
export interface Counters {
  take(key: string, windowMs: number): Taken;
  close(): Promise<void>;
}

export interface SharedCountersOptions {
  /** Where instances share their counts, the preferred first; with none this process counts alone. */
  stores?: readonly CounterStore[] | undefined;
  /** Keys are stored as HMACs under this secret, since they hold addresses. The same in every instance. */
  secret: string;
  /** Least time between two exchanges, in milliseconds. */
  flushMs?: number;
  /** For how long a store is left alone after it failed, in milliseconds. */
  retryMs?: number;
  /** Told once when no store answers any more, and once when one does again. */
  onAlone?: (isAlone: boolean) => void;
}

interface Counter {
  /** The key as it is stored, once it was. */
  stored: string | undefined;
  windowEndsAt: number;
  /** Hits of this process. */
  own: number;
  /** The most that any store said of the other instances. */
  others: number;
  /** How many of our own each store was told, by its place. */
  told: number[];
}

const MAX_KEYS = 50_000;
const MAX_SENT = 5_000;
const SWEEP_MS = 600_000;

/**
 * Counters that instances share through a store without asking it in a request: hits count in memory at once and
 * are exchanged together, at most every `flushMs` (500 ms), with the totals of all instances. So an instance knows of
 * hits elsewhere after one second at most, and a limit can be overrun by what the others took in that second. When a
 * store fails, the same exchange goes to the next one; with none left each instance counts alone. What was counted
 * stays counted when the store changes. Windows are aligned to the clock, so that instances agree on them without asking.
 */
export function sharedCounters(options: SharedCountersOptions): Counters {
  const { stores = [], secret, flushMs = 500, retryMs = 5_000, onAlone } = options;
  const counters = new Map<string, Counter>();
  const unsent = new Set<string>();
  const restsUntil = stores.map(() => 0);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let sweptAt = Date.now();
  let alone = false;
  let closed = false;

  return {
    take(key, windowMs) {
      const now = Date.now();
      const name = `${windowMs} ${key}`;
      let counter = counters.get(name);
      if (counter === undefined || counter.windowEndsAt <= now) {
        counter = {
          stored: undefined,
          windowEndsAt: (Math.floor(now / windowMs) + 1) * windowMs,
          own: 0,
          others: 0,
          told: stores.map(() => 0),
        };
        counters.delete(name);
        counters.set(name, counter);
        if (counters.size > MAX_KEYS) forgetOldest();
      }
      counter.own++;
      unsent.add(name);
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
        if (unsent.size > 0) schedule(done ? flushMs : retryMs);
      });
    }, ms).unref();
  }

  /** Exchanges with the first store that answers; false when none does. */
  async function flush(): Promise<boolean> {
    const keys = [...unsent].slice(0, MAX_SENT);
    for (const key of keys) unsent.delete(key);
    for (const [place, store] of stores.entries()) {
      if (restsUntil[place] !== undefined && restsUntil[place] > Date.now()) continue;
      try {
        await exchange(store, place, keys);
        tellAlone(false);
        return true;
      } catch {
        restsUntil[place] = Date.now() + retryMs;
      }
    }
    for (const key of keys) if (counters.has(key)) unsent.add(key);
    tellAlone(true);
    return false;
  }

  async function exchange(store: CounterStore, place: number, keys: readonly string[]): Promise<void> {
    const counts = keys.flatMap((name) => {
      const counter = counters.get(name);
      return counter === undefined ? [] : [{ name, count: countOf(name, counter, place) }];
    });
    if (counts.length > 0) {
      const totals = await store.exchange(counts.map(({ count }) => count));
      for (const { name, count } of counts) learn(name, count, place, totals.get(count.key));
    }
    if (store.sweep && Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      await store.sweep();
    }
  }

  function countOf(name: string, counter: Counter, place: number): Count {
    counter.stored ??= hashed(name, secret);
    const { stored: key, own, told, windowEndsAt } = counter;
    return { key, own, fresh: own - (told[place] ?? 0), endsAt: windowEndsAt };
  }

  function learn(name: string, { own, endsAt }: Count, place: number, total: number | undefined): void {
    const counter = counters.get(name);
    if (counter === undefined || counter.windowEndsAt !== endsAt) return;
    counter.told[place] = own;
    // Never less than before: a store may have lost what another one knew.
    if (total !== undefined) counter.others = Math.max(counter.others, total - own);
  }

  function tellAlone(now: boolean): void {
    if (alone === now) return;
    alone = now;
    onAlone?.(now);
  }

  function forgetOldest(): void {
    const [oldest] = counters.keys();
    if (oldest !== undefined) counters.delete(oldest);
  }
}

function hashed(key: string, secret: string): string {
  return createHmac('sha256', secret).update(key).digest('base64url').slice(0, 24);
}
