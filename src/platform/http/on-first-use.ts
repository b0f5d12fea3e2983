const waiting = new Set<() => unknown>();

/** Makes something once, when it is first asked for: schemas take most of a start to compile, and few are needed soon. */
export function onFirstUse<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  const get = (): Made => {
    made ??= { value: make() };
    waiting.delete(get);
    return made.value;
  };
  waiting.add(get);
  return get;
}

/**
 * Makes what nobody has asked for yet.
 * @throws what making the first that cannot be made throws
 * @returns how many were made
 */
export function makeWaiting(): number {
  const count = waiting.size;
  for (const get of waiting) get();
  return count;
}
