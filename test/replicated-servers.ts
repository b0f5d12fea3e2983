import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { getPostgresUser } from '../packages/embedded-postgres/src/system-user.ts';
import { STOCK_SERVER_FOLDER } from '../scripts/testing/stock-server.ts';
import { findFreePort } from '../src/start/find-free-port.ts';
import { createScratchFolder, retryUntilSuccess, runQuery } from './scratch-folder.ts';

/** For the `skip` option of a test: false, or the reason. */
export const REPLICATION_SKIP_REASON = existsSync(STOCK_SERVER_FOLDER) ? false : 'there is no postgresql-15';

const run = promisify(execFile);

interface Server {
  url: string;
  child: ChildProcess;
}

/** Create a folder for servers of Debian's PostgreSQL, and get functions that run its programs as their user. */
export async function createStockServers(t: Test) {
  const folder = await createScratchFolder(t);
  await chmod(folder, 0o755);
  const user = await getPostgresUser(join(folder, 'none'));
  const runProgram = (name: string, ...args: string[]) =>
    run(join(STOCK_SERVER_FOLDER, name), args, { ...user, cwd: folder });
  const createFolder = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path, { mode: 0o700 });
    if (user) await chown(path, user.uid, user.gid);
    return path;
  };
  const start = async (path: string, settings: string[]): Promise<Server> => {
    const port = await findFreePort();
    const flags = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      ...settings,
    ].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(STOCK_SERVER_FOLDER, 'postgres'), ['-D', path, '-p', String(port), ...flags], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    t.teardown(() => stopServer(child));
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    await retryUntilSuccess(() => runQuery(url, 'SELECT 1'));
    return { url, child };
  };
  const createCluster = async (name: string) => {
    const path = await createFolder(name);
    await runProgram('initdb', '-D', path, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8');
    return path;
  };
  return { runProgram, createFolder, createCluster, start };
}

/**
 * Start a primary and a standby of it. A synchronous one has every committed transaction, and the primary waits for it.
 */
export async function startReplicatedServers(t: Test, { isSynchronous = true } = {}) {
  const { runProgram, createFolder, createCluster, start } = await createStockServers(t);
  const primary = await start(await createCluster('primary'), []);
  const standbyFolder = await createFolder('standby');
  const baseBackup = ['-D', standbyFolder, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast'];
  await runProgram('pg_basebackup', ...baseBackup);
  const standby = await start(standbyFolder, ['synchronous_standby_names=']);
  if (isSynchronous) {
    await runQuery(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await runQuery(primary.url, 'SELECT pg_reload_conf()');
  }
  return {
    primary,
    standby,
    promote: () => runProgram('pg_ctl', 'promote', '-D', standbyFolder),
  };
}

export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  // Immediate shutdown, which also ends its children.
  child.kill('SIGQUIT');
  await exit;
}
