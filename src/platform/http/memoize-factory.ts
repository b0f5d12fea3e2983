const uninitialized = new Set<() => unknown>();

/** Makes something once, when it is first asked for: schemas take most of a start to compile, and few are needed soon. */
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

/**
 * Makes what nobody has asked for yet.
 * @throws what making the first that cannot be made throws
 * @returns how many were made
 */
export function initializeMemoized(): number {
  const count = uninitialized.size;
  for (const get of uninitialized) get();
  return count;
}
