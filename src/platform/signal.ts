/** Wakes consumers in the same process, so that they need not wait for their next poll. */
export interface Signal {
  raise(): void;
  onRaised(listener: () => void): void;
}

/** Create a signal without listeners. */
export function createSignal(): Signal {
  const listeners: (() => void)[] = [];
  return {
    raise() {
      for (const listener of listeners) listener();
    },
    onRaised(listener) {
      listeners.push(listener);
    },
  };
}
