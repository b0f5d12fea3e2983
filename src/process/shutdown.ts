import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { ProcessLog } from '../shared/process-log.ts';

/** All phases together, without the delay before them; then the process exits, closed or not. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

// Ctrl-C under `npm start` arrives twice, from the terminal and from npm. Only a later one counts as a second
// signal.
const REPEATED_SIGNAL_WINDOW_MS = 500;

const TERMINATION_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CRASH_SIGNALS = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const;

export interface Shutdown {
  signal: AbortSignal;
  /**
   * Add a phase that runs before those added earlier.
   * @param limit milliseconds before the next phase begins
   * @throws Error when all limits together exceed ten seconds
   */
  addPhase(name: string, limit: number, close: () => unknown): void;
  startShutdown(reason: string): void;
  /** Run the phases for a failed start, without exiting. */
  rollBack(): Promise<void>;
}

interface ShutdownPhase {
  name: string;
  timeoutMs: number;
  close: () => unknown;
}

/**
 * Handle shutdown: exit code 0 for SIGTERM, SIGINT and SIGHUP, 1 for an uncaught error. Each phase writes one
 * log line; a failed or slow one does not block the next. A second signal exits immediately with 1.
 * @param delayMs time between the signal and the first phase
 */
export function registerShutdownHandlers(log: ProcessLog, delayMs = 0): Shutdown {
  const phases: ShutdownPhase[] = [];
  const ending = new AbortController();
  let reason = 'an error';

  const grace = closeWithGrace(
    {
      delay: delayMs + SHUTDOWN_TIMEOUT_MS,
      logger: false,
      // Handled below. Crash signals of native code are left to the system: a listener would run in a broken
      // process.
      skip: [...TERMINATION_SIGNALS, ...CRASH_SIGNALS, 'SIGQUIT', 'SIGUSR2', 'beforeExit'],
      onTimeout: () => log.error({ limit: SHUTDOWN_TIMEOUT_MS }, 'shutdown timed out'),
      onSecondError: (err) => log.error({ err }, 'another error while stopping'),
    },
    async ({ err }) => {
      if (err) log.error({ err }, 'stopping after an error');
      else log.info({ reason }, `stopping: ${reason}`);
      ending.abort();
      if (!err && delayMs > 0) await wait(delayMs);
      for (const phase of phases.toReversed()) await runPhase(phase, log);
      log.info({}, 'stopped');
    },
  );

  const startShutdown = (cause: string) => {
    reason = cause;
    grace.close();
  };
  handleTerminationSignal(startShutdown, (signal) =>
    log.warn({ reason: signal }, `${signal} again: stopped immediately`),
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

/** Call `begin` at the first termination signal; a second one, half a second later or more, exits with 1. */
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
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'late');
  });
  try {
    const outcome = await Promise.race([Promise.resolve().then(close), timedOut]);
    const details = { phase: name, ms: Math.round(performance.now() - startedAt) };
    if (outcome === 'late') log.warn(details, `${name}: not closed in time`);
    else log.info(details, `${name}: closed`);
  } catch (err) {
    log.error({ phase: name, err }, `${name}: failed to close`);
  } finally {
    clearTimeout(timer);
  }
}
