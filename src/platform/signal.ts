import { runWithSpan } from '../shared/tracing.ts';

export interface WakeSignal {
  raise(): void;
  onRaised(listener: () => void): void;
}

export function createWakeSignal(): WakeSignal {
  const listeners: (() => void)[] = [];
  return {
    raise() {
      // What follows is not only for whoever raised it.
      runWithSpan(undefined, () => {
        for (const listener of listeners) listener();
      });
    },
    onRaised(listener) {
      listeners.push(listener);
    },
  };
}
