import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import {
  isClusterProcess,
  readPostmasterFile,
  sendSignal,
  terminateOrphanedProcesses,
} from './cluster-processes.ts';
import { getProgramEnvironment } from './program-environment.ts';

// A small server. Errors of statements, which quote user data, are not logged.
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

const MAX_LOG_BYTES = 1024 * 1024;

export interface Postmaster {
  pid: number;
  port: number;
  /** Resolves when the main process ends for any reason. */
  waitForExit: Promise<void>;
}

/** Start the server in its own process group, which Ctrl-C does not reach. @throws Error if it ends early */
export async function startPostmaster(
  cluster: Cluster,
  options: { port: number; logFile: string; abort: AbortSignal },
): Promise<Postmaster> {
  const log = await openLogFile(options.logFile);
  const settings = { ...SERVER_SETTINGS, ...cluster.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', cluster.folder, '-p', String(options.port), ...flags],
    {
      ...cluster.user,
      cwd: cluster.folder,
      env: getProgramEnvironment(),
      stdio: ['ignore', 'ignore', log],
      detached: true,
    },
  );
  closeSync(log);
  child.unref();
  let running = true;
  const waitForExit = new Promise<void>((done, failed) => {
    child.once('exit', () => done());
    child.once('error', failed);
  }).finally(() => {
    running = false;
  });
  // The code below reports a program that cannot start.
  waitForExit.catch(() => {});
  while (running && !options.abort.aborted) {
    const file = await readPostmasterFile(cluster.folder);
    if (child.pid !== undefined && file?.pid === child.pid && file.status === 'ready') {
      return { pid: child.pid, port: options.port, waitForExit };
    }
    await sleep(10);
  }
  if (running) child.kill('SIGQUIT');
  while (running) await sleep(10);
  throw new Error(`Embedded PostgreSQL exited before it was ready; see ${options.logFile}.`);
}

/** Adopt a server that survived its service; undefined without one, or once a stopping one has ended. */
export async function adoptPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  for (;;) {
    const file = await readPostmasterFile(cluster.folder);
    if (!file || !(await isClusterProcess(cluster.folder, file.pid))) return undefined;
    if (file.status === 'ready') {
      return { pid: file.pid, port: file.port, waitForExit: waitForExit(cluster.folder, file.pid) };
    }
    await sleep(20);
  }
}

/** Stop with a fast shutdown, after the timeout with an immediate one, from which the next start recovers. */
export async function stopPostmaster(
  cluster: Cluster,
  postmaster: Postmaster,
  timeoutMs: number,
): Promise<void> {
  for (const [name, limit] of [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', 500],
  ] as const) {
    if (!(await isClusterProcess(cluster.folder, postmaster.pid))) break;
    sendSignal(postmaster.pid, name);
    const until = Date.now() + limit;
    while (Date.now() < until && (await isClusterProcess(cluster.folder, postmaster.pid))) await sleep(10);
  }
  if (await isClusterProcess(cluster.folder, postmaster.pid)) sendSignal(postmaster.pid, 'SIGKILL');
  await terminateOrphanedProcesses(cluster.folder, 200);
}

async function waitForExit(folder: string, pid: number): Promise<void> {
  while (await isClusterProcess(folder, pid)) await sleep(250, undefined, { ref: false });
}

async function openLogFile(path: string): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  return openSync(path, size > MAX_LOG_BYTES ? 'w' : 'a', 0o600);
}
