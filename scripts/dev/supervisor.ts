import type { ChildProcess } from 'node:child_process';
import type { ProcessLog } from '../../src/shared/process-log.ts';

/** Longer than the shutdown timeout of the service (src/process/shutdown.ts). */
const KILL_AFTER_MS = 12_000;

interface SupervisorOptions {
  /** Runs before each start; if it returns false, the start waits for the next change. */
  prepare: () => Promise<boolean>;
  start: () => ChildProcess;
  log: ProcessLog;
}

export interface Supervisor {
  /** Start or restart the service; calls during a restart cause at most one more restart. */
  restart(): void;
  stop(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/**
 * Run one process of the service at a time: the next one starts after the exit of the last one, because two cannot
 * share a data folder.
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
