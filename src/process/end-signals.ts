// Ctrl-C under `npm start` arrives twice, from the terminal and from npm. Only a later one is a second wish.
const SAME_WISH = 500;

/** The signals that ask the process to end. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `begin` at the first signal that asks the process to end. A second wish, half a second later or
 * more, ends it at once with exit code 1, after `again` was told.
 */
export function onEndSignals(begin: (signal: string) => void, again: (signal: string) => void = () => {}) {
  let begunAt: number | undefined;
  const wish = (signal: string) => {
    if (begunAt === undefined) {
      begunAt = Date.now();
      begin(signal);
    } else if (Date.now() - begunAt > SAME_WISH) {
      again(signal);
      process.exit(1);
    }
  };
  for (const signal of END_SIGNALS) process.on(signal, wish);
}
