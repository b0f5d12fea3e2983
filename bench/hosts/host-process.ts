import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type Host, onHost } from './network.ts';

export interface HostProcess {
  start(environment?: Record<string, string>): void;
  end(signal: NodeJS.Signals): Promise<void>;
  isRunning(): boolean;
}

/** Prepare a program on a host; its output is appended to a log file. */
export function createHostProcess(
  host: Host,
  options: { command: readonly string[]; environment?: Record<string, string>; logFile: string },
): HostProcess {
  const [program = '', ...words] = onHost(host, ...options.command);
  let child: ChildProcess | null = null;
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    start(environment = {}) {
      const { PATH, HOME } = process.env;
      const log = openSync(options.logFile, 'a');
      const env = { PATH, HOME, ...options.environment, ...environment };
      child = spawn(program, words, { env, stdio: ['ignore', log, log] });
      closeSync(log);
    },
    async end(signal) {
      if (!child || !isRunning()) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
