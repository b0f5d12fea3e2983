import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { getNodeArguments } from '../transpiled-scripts.ts';

/** A start takes two seconds alone, and a minute beside many other tests. */
const READY_TIMEOUT_MS = 120_000;

/** For the `skip` option of a test: false, or the reason. */
export const TERMINAL_SKIP_REASON = String(spawnSync('script', ['--version']).stdout).includes('util-linux')
  ? false
  : 'there is no program script of util-linux';

export interface ServiceProcess {
  child: ChildProcess;
  base: string;
  output(): string;
  /** Resolves when the output matches, rejects when the process ends before. */
  written(pattern: RegExp): Promise<void>;
  /** Resolves when it responds, rejects when it exits before. */
  ready(): Promise<void>;
  /** Send a signal; returns the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  ended: Promise<number | null>;
}

export function startService(
  t: Test,
  options: {
    dataDir: string;
    port: number;
    environment?: Record<string, string>;
    flags?: string[];
    /** Run it on a pseudo terminal, which gets what is written to the standard input. */
    isOnTerminal?: boolean;
    /** The program of another version. */
    program?: string;
  },
): ServiceProcess {
  const { dataDir, port, environment = {}, flags = [], isOnTerminal = false } = options;
  let text = '';
  const command = [process.execPath, ...getNodeArguments(options.program ?? 'src/server.ts'), ...flags];
  const [program = '', ...words] = isOnTerminal
    ? ['script', '--quiet', '--return', '--command', `exec ${command.join(' ')}`, '/dev/null']
    : command;
  const child = spawn(program, words, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      UPLOADS_DIR: join(dataDir, 'uploads'),
      PORT: String(port),
      BCRYPT_COST: '4',
      RATE_LIMIT_SCALE: '10000',
      ...environment,
    },
    stdio: [isOnTerminal ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const base = `http://localhost:${port}`;
  const waitUntil = async (condition: () => Promise<boolean>) => {
    const until = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < until) {
      if (await condition()) return;
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${text}`);
      await sleep(25);
    }
    throw new Error(`The service was not ready in time:\n${text}`);
  };
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    for (const pid of await findPostmasters(dataDir)) killQuietly(pid, 'SIGKILL');
  });
  return {
    child,
    base,
    output: () => text,
    ended,
    written: (pattern) => waitUntil(async () => pattern.test(text)),
    ready: () =>
      waitUntil(async () => {
        const signal = AbortSignal.timeout(5_000);
        const answer = await fetch(`${base}/api/health/ready`, { signal }).catch(() => null);
        return answer?.ok === true;
      }),
    async end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Start a worker beside a service, as `npm run worker` does; killed when the test ends. */
export function startWorker(t: Test, dataDir: string, environment: Record<string, string> = {}) {
  let text = '';
  const child = spawn(process.execPath, getNodeArguments('src/commands/worker.ts'), {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      UPLOADS_DIR: join(dataDir, 'uploads'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { ended, end, output: () => text };
}

export async function findPostmasters(dataDir: string): Promise<number[]> {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 && isAlive(pid) ? [pid] : [];
}

/** Find processes with the data folder in their command line (Linux). */
export async function findProcessesNaming(dataDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(dataDir)) found.push(Number(pid));
  }
  return found;
}

/** Send a signal to a process that may have ended. */
export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
