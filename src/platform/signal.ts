export interface WakeSignal {
  raise(): void;
  onRaised(listener: () => void): void;
}

export function createWakeSignal(): WakeSignal {
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
