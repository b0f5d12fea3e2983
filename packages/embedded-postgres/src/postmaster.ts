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

// Small, and without what people wrote: errors of statements, which quote values, stay with the client.
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

/** A running server: its main process, and how to learn of its end. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Resolves when the main process is gone, for whatever reason. */
  waitForExit: Promise<void>;
}

/**
 * Starts the server and waits until it accepts connections, which after a crash includes the recovery.
 * It is no part of this process's group, so that Ctrl-C in a terminal reaches this process only.
 * @param options.abort gives up and ends the server
 * @throws Error when the server ends before it is ready
 */
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
      env: { PATH: process.env.PATH, TZ: 'UTC' },
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
  // Where the program cannot even be started, what follows says so.
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
  throw new Error(`The embedded PostgreSQL ended before it was ready; ${options.logFile} may say why.`);
}

/**
 * Takes over a server that is still running on the cluster since its service was killed: waits until it
 * is ready, or, if it is stopping, until it is gone.
 * @returns undefined where there is none
 */
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

/**
 * Stops a server: connections are ended and everything is written to disk; if that takes longer than
 * `patience` milliseconds it is ended at once, and the next start recovers. Leaves no process.
 */
export async function stopPostmaster(
  cluster: Cluster,
  postmaster: Postmaster,
  patience: number,
): Promise<void> {
  for (const [name, limit] of [
    ['SIGINT', patience],
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
