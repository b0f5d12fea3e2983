/** Milliseconds after which a call is not shared with later callers, should it never end. */
const MAX_SHARED_MS = 60_000;

const uninitialized = new Set<() => unknown>();

/** Compute once per key. Nothing is ever dropped: for few keys, such as languages. */
export function memoize<Key, Value extends object>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>();
  return (key) => {
    const value = cache.get(key) ?? compute(key);
    cache.set(key, value);
    return value;
  };
}

/** Call a factory once, on first use: schemas take most of a start to compile, and few are needed soon. */
export function memoizeFactory<Result>(factory: () => Result): () => Result {
  let memoized: { value: Result } | undefined;
  const get = (): Result => {
    memoized ??= { value: factory() };
    uninitialized.delete(get);
    return memoized.value;
  };
  uninitialized.add(get);
  return get;
}

/** Call all unused factories of `memoizeFactory`; returns their number. @throws what the first failing one throws */
export function initializeMemoizedFactories(): number {
  const count = uninitialized.size;
  for (const get of uninitialized) get();
  return count;
}

export function createSingleFlight<Result>() {
  const inFlight = new Map<string, Promise<Result>>();
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const known = inFlight.get(key);
    if (known) return known;
    const call = work();
    inFlight.set(key, call);
    const forget = () => {
      clearTimeout(timer);
      if (inFlight.get(key) === call) inFlight.delete(key);
    };
    const timer = setTimeout(forget, MAX_SHARED_MS).unref();
    call.then(forget, forget);
    return call;
  };
}
