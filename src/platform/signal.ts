export interface Signal {
  raise(): void;
  onRaised(listener: () => void): void;
}

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
