import closeWithGrace from 'close-with-grace';
import type { ProcessLog } from '../shared/process-log.ts';

/** All phases together, in milliseconds; at the end of it the process goes, closed or not. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

// Ctrl-C under `npm start` arrives twice, from the terminal and from npm. Only a later one is a second wish.
const REPEATED_SIGNAL_WINDOW_MS = 500;

const TERMINATION_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CRASH_SIGNALS = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const;

/** The end of the process, in phases. */
export interface Shutdown {
  /** Aborted as soon as the end begins: for what is still starting then. */
  signal: AbortSignal;
  /**
   * Adds a phase that runs before all those added earlier, so that what was opened last closes first.
   * @param limit how long it may take, in milliseconds, before the next phase begins
   * @throws Error when all limits together would exceed ten seconds
   */
  addPhase(name: string, limit: number, close: () => unknown): void;
  /** Begins the end from inside; exit code 0. */
  startShutdown(reason: string): void;
  /** Closes what was opened so far, in the same order: for a start that failed. The process goes on. */
  rollBack(): Promise<void>;
}

interface ShutdownPhase {
  name: string;
  timeoutMs: number;
  close: () => unknown;
}

/**
 * Lets the process end in an orderly way: on SIGTERM, SIGINT and SIGHUP with exit code 0, on an uncaught
 * error with 1. Each phase is one line of the log; one that fails or takes too long does not keep the
 * next from running. A second signal ends the process at once with exit code 1.
 */
export function handleShutdown(log: ProcessLog): Shutdown {
  const phases: ShutdownPhase[] = [];
  const ending = new AbortController();
  let reason = 'an error';

  const grace = closeWithGrace(
    {
      delay: SHUTDOWN_TIMEOUT_MS,
      logger: false,
      // The signals are handled below. Those of a crash in native code are left to the system: a
      // listener would run in a broken process.
      skip: [...TERMINATION_SIGNALS, ...CRASH_SIGNALS, 'SIGQUIT', 'SIGUSR2', 'beforeExit'],
      onTimeout: () => log.error({ limit: SHUTDOWN_TIMEOUT_MS }, 'the time to stop is over'),
      onSecondError: (err) => log.error({ err }, 'another error while stopping'),
    },
    async ({ err }) => {
      if (err) log.error({ err }, 'stopping after an error');
      else log.info({ reason }, `stopping: ${reason}`);
      ending.abort();
      for (const phase of phases.toReversed()) await runPhase(phase, log);
      log.info({}, 'stopped');
    },
  );

  const startShutdown = (cause: string) => {
    reason = cause;
    grace.close();
  };
  handleTerminationSignal(startShutdown, (signal) =>
    log.warn({ reason: signal }, `${signal} again: stopped at once`),
  );

  return {
    signal: ending.signal,
    addPhase: (name, timeoutMs, close) => {
      const total = phases.reduce((sum, phase) => sum + phase.timeoutMs, timeoutMs);
      if (total >= SHUTDOWN_TIMEOUT_MS)
        throw new Error(`The phases may take ${total} ms, over ${SHUTDOWN_TIMEOUT_MS}.`);
      phases.push({ name, timeoutMs, close });
    },
    startShutdown,
    rollBack: async () => {
      for (const phase of phases.splice(0).toReversed()) await runPhase(phase, log);
    },
  };
}

/**
 * Calls `begin` at the first signal that asks the process to end. A second wish, half a second later or
 * more, ends it at once with exit code 1, after `again` was told.
 */
export function handleTerminationSignal(
  begin: (signal: string) => void,
  onRepeat: (signal: string) => void = () => {},
) {
  let begunAt: number | undefined;
  const handleSignal = (signal: string) => {
    if (begunAt === undefined) {
      begunAt = Date.now();
      begin(signal);
    } else if (Date.now() - begunAt > REPEATED_SIGNAL_WINDOW_MS) {
      onRepeat(signal);
      process.exit(1);
    }
  };
  for (const signal of TERMINATION_SIGNALS) process.on(signal, handleSignal);
}

async function runPhase({ name, timeoutMs, close }: ShutdownPhase, log: ProcessLog): Promise<void> {
  const begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'late');
  });
  try {
    const outcome = await Promise.race([Promise.resolve().then(close), timedOut]);
    const details = { phase: name, ms: Math.round(performance.now() - begun) };
    if (outcome === 'late') log.warn(details, `${name}: not closed in time`);
    else log.info(details, `${name}: closed`);
  } catch (err) {
    log.error({ phase: name, err }, `${name}: failed to close`);
  } finally {
    clearTimeout(timer);
  }
}
