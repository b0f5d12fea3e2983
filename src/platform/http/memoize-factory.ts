const uninitialized = new Set<() => unknown>();

/** Memoize a factory: compiling schemas takes most of a start, and few are needed soon. */
export function memoizeFactory<Made>(factory: () => Made): () => Made {
  let memoized: { value: Made } | undefined;
  const get = (): Made => {
    memoized ??= { value: factory() };
    uninitialized.delete(get);
    return memoized.value;
  };
  uninitialized.add(get);
  return get;
}

/** Initialize all memoized factories; returns how many, throws the first error. */
export function initializeMemoized(): number {
  const count = uninitialized.size;
  for (const get of uninitialized) get();
  return count;
}
