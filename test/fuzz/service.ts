import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Secrets } from '../../src/shared/secret-names.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';

/** The service as started by `npm start`, in its own process with its own database. */
export interface FuzzService {
  host: string;
  port: number;
  ownerUrl: string;
  applicationUrl: string;
  memory(): Promise<number>;
  temporaryFiles(): Promise<string[]>;
  /** Whether it exited unexpectedly. */
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** Script that ends the service on prototype pollution, and when the parent process is gone. */
const GUARD_SCRIPT = `
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  const { ppid } = process;
  const timer = setInterval(() => {
    const after = Object.getOwnPropertyNames(Object.prototype);
    if (after.length !== before) {
      process.stderr.write('PROTOTYPE ' + after.slice(before) + '\\n');
      process.exit(99);
    }
    if (process.ppid === ppid) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();`;

/**
 * Start `dist/server.js` over a data folder, with its output in `service.log`.
 * @throws Error if it does not become ready
 */
export async function startService(options: {
  dataDir: string;
  scale: number;
  secrets: Secrets;
}): Promise<FuzzService> {
  const { dataDir, scale, secrets } = options;
  const port = await findFreePort();
  const temporary = join(dataDir, 'temporary');
  await mkdir(temporary, { recursive: true });
  const guard = `data:text/javascript,${encodeURIComponent(GUARD_SCRIPT)}`;
  // Own process group: Ctrl-C reaches only this process, which then stops the service.
  const child = spawn(process.execPath, [`--import=${guard}`, 'dist/server.js'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: temporary,
      DATA_DIR: dataDir,
      UPLOADS_DIR: join(dataDir, 'uploads'),
      PORT: String(port),
      BCRYPT_COST: '4',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SCALE: String(scale),
      ...secrets,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const log = createWriteStream(join(dataDir, 'service.log'), { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await waitUntilReady(child, port, dataDir);
  const address = async (file: string) => (await readFile(join(dataDir, file), 'utf8')).trim();
  return {
    host: '127.0.0.1',
    port,
    ownerUrl: await address('database-url'),
    applicationUrl: await address('database-url-app'),
    memory: () => getResidentMemory(child.pid ?? 0),
    temporaryFiles: () => readdir(temporary),
    hasEnded: () => child.exitCode !== null,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function waitUntilReady(child: ChildProcess, port: number, dataDir: string): Promise<void> {
  for (
    const deadline = Date.now() + 60_000;
    Date.now() < deadline && child.exitCode === null;
    await sleep(50)
  ) {
    const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null);
    if (response?.ok) return;
  }
  child.kill('SIGKILL');
  throw new Error(`The service did not come up:\n${await readFile(join(dataDir, 'service.log'), 'utf8')}`);
}

/** Read the resident memory of a process in bytes from /proc. */
async function getResidentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}
