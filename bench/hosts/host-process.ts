import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type Host, onHost } from './network.ts';

export interface HostProcess {
  start(environment?: Record<string, string>): void;
  end(signal: NodeJS.Signals): Promise<void>;
  isRunning(): boolean;
}

/** Prepare a program on a host that logs to a file; with `restartDelayMs` it starts again when it exits by itself. */
export function createHostProcess(
  host: Host,
  options: {
    command: readonly string[];
    environment?: Record<string, string>;
    logFile: string;
    restartDelayMs?: number;
  },
): HostProcess {
  const [program = '', ...words] = onHost(host, ...options.command);
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  const start = (environment: Record<string, string> = {}) => {
    const { PATH, HOME } = process.env;
    const log = openSync(options.logFile, 'a');
    const env = { PATH, HOME, ...options.environment, ...environment };
    child = spawn(program, words, { env, stdio: ['ignore', log, log] });
    closeSync(log);
    child.once('exit', () => {
      if (options.restartDelayMs) timer = setTimeout(start, options.restartDelayMs, environment);
    });
  };
  return {
    isRunning,
    start,
    async end(signal) {
      clearTimeout(timer);
      if (!child || !isRunning()) return;
      child.removeAllListeners('exit');
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
