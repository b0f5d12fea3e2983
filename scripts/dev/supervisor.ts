import type { ChildProcess } from 'node:child_process';
import type { ProcessLog } from '../../src/shared/process-log.ts';

/** Longer than the service allows itself for its shutdown (src/process/shutdown.ts). */
const KILL_AFTER_MS = 12_000;

interface SupervisorOptions {
  /** Runs before each start; where it answers false, the start waits for the next change. */
  prepare: () => Promise<boolean>;
  start: () => ChildProcess;
  log: ProcessLog;
}

export interface Supervisor {
  /** Starts the service, or restarts it. Calls during a restart lead to one more restart at most. */
  restart(): void;
  /** Ends the service and resolves when it has exited. */
  stop(): Promise<void>;
  /** Sends a signal to the service and does not wait. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Runs one process of the service at a time: the next one starts when the last one has exited, since two cannot share a
 * data folder.
 */
export function createSupervisor({ prepare, start, log }: SupervisorOptions): Supervisor {
  let service: ChildProcess | null = null;
  let exited: Promise<void> = Promise.resolve();
  let restarting: Promise<void> | null = null;
  let isOutdated = false;
  let isStopping = false;

  async function restartWhileOutdated(): Promise<void> {
    while (isOutdated && !isStopping) {
      await endService();
      isOutdated = false;
      const isPrepared = await prepare();
      if (isPrepared && !isStopping) startService();
    }
    restarting = null;
  }

  function startService(): void {
    const child = start();
    service = child;
    exited = new Promise((resolve) => {
      const handleExit = (reason: string) => {
        if (service !== child) return;
        service = null;
        resolve();
        if (!isOutdated && !isStopping)
          log.error({}, `the service ended with ${reason}; waiting for a change`);
      };
      child.once('exit', (code, signal) => handleExit(signal ?? `exit code ${code}`));
      child.once('error', (error) => handleExit(error.message));
    });
  }

  async function endService(): Promise<void> {
    const child = service;
    if (!child) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      log.warn({ limit: KILL_AFTER_MS }, 'the service did not end in time: killed');
      child.kill('SIGKILL');
    }, KILL_AFTER_MS);
    await exited;
    clearTimeout(timer);
  }

  return {
    restart() {
      isOutdated = true;
      restarting ??= restartWhileOutdated();
    },
    async stop() {
      isStopping = true;
      await restarting;
      await endService();
    },
    signal(name) {
      service?.kill(name);
    },
  };
}
