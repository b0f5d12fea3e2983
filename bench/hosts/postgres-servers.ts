import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { listClusterProcesses, sendSignal } from '@qr-profile-service/embedded-postgres';
import pg from 'pg';
import { getPostgresUser } from '../../packages/embedded-postgres/src/system-user.ts';
import { STOCK_SERVER_FOLDER } from '../../scripts/testing/stock-server.ts';
import { createHostProcess } from './host-process.ts';
import { getAddress, type Host, onHost } from './network.ts';

export type DatabaseHost = Extract<Host, 'primary' | 'replica'>;

const run = promisify(execFile);

const ACCESS_RULES = `
host all all 10.213.0.0/24 trust
host replication all 10.213.0.0/24 trust
`;

const CREATE_ROLES_SQL = [
  'CREATE ROLE qr_owner LOGIN',
  'CREATE ROLE qr_app LOGIN',
  'CREATE DATABASE qr OWNER qr_owner',
];

/** The primary acknowledges a commit after the replica has applied it. */
const SYNCHRONOUS_SETTINGS = [`synchronous_standby_names = '*'`, 'synchronous_commit = remote_apply'];

const START_TIMEOUT_MS = 60_000;

export type PostgresServers = Awaited<ReturnType<typeof startPostgresServers>>;

/** Start Debian's PostgreSQL on two hosts: a primary and its synchronous replica. */
export async function startPostgresServers(folder: string) {
  const user = await getPostgresUser(join(folder, 'none'));
  if (!user) throw new Error('PostgreSQL needs a system user of its own.');
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const getFolder = (host: DatabaseHost) => join(folder, `${host}-database`);
  const runProgram = (host: DatabaseHost, name: string, ...args: string[]) => {
    const [program = '', ...words] = onHost(host, ...asUser, join(STOCK_SERVER_FOLDER, name), ...args);
    return run(program, words, { cwd: '/' });
  };
  const createServer = (host: DatabaseHost) => {
    // No machine loses its power here, and a killed process loses nothing that it wrote.
    const settings = [`listen_addresses=${getAddress(host)}`, 'unix_socket_directories=', 'fsync=off'];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    const command = [...asUser, join(STOCK_SERVER_FOLDER, 'postgres'), '-D', getFolder(host), ...flags];
    return createHostProcess(host, { command, logFile: join(folder, `${host}.log`) });
  };
  const processes = { primary: createServer('primary'), replica: createServer('replica') };
  const start = async (host: DatabaseHost) => {
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(50)) {
      // It refuses to start until the last process of a killed server has ended.
      if (!processes[host].isRunning()) processes[host].start();
      const isUp = await runSql(host, 'SELECT 1', 'postgres').catch(() => null);
      if (isUp) return;
    }
    throw new Error(`PostgreSQL on ${host} was not ready in time.`);
  };
  const createFolder = async (host: DatabaseHost) => {
    await rm(getFolder(host), { recursive: true, force: true });
    await mkdir(getFolder(host), { mode: 0o700 });
    await chown(getFolder(host), user.uid, user.gid);
  };
  const kill = async (host: DatabaseHost) => {
    for (const pid of await listClusterProcesses(getFolder(host))) sendSignal(pid, 'SIGKILL');
    await processes[host].end('SIGKILL');
  };
  const setSynchronous = async (host: DatabaseHost) => {
    for (const setting of SYNCHRONOUS_SETTINGS) await runSql(host, `ALTER SYSTEM SET ${setting}`, 'postgres');
    await runSql(host, 'SELECT pg_reload_conf()', 'postgres');
  };
  const copyTo = async (host: DatabaseHost, source: DatabaseHost) => {
    await createFolder(host);
    const target = ['-D', getFolder(host), '-h', getAddress(source), '-U', 'postgres'];
    await runProgram(host, 'pg_basebackup', ...target, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
  };

  await createFolder('primary');
  const initial = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await runProgram('primary', 'initdb', '-D', getFolder('primary'), ...initial);
  await appendFile(join(getFolder('primary'), 'pg_hba.conf'), ACCESS_RULES);
  await start('primary');
  for (const sql of CREATE_ROLES_SQL) await runSql('primary', sql, 'postgres');
  await copyTo('replica', 'primary');
  // After the copy: the replica, once promoted, waits for no other.
  await setSynchronous('primary');
  await start('replica');

  return {
    start,
    kill,
    /** Let a primary with a replica wait for it. */
    setSynchronous,
    /** As an operator does when the other server is gone for certain. */
    async promote(host: DatabaseHost) {
      await runProgram(host, 'pg_ctl', 'promote', '-D', getFolder(host));
    },
    /** Copy a server anew, as an asynchronous replica of the promoted one. */
    async rebuild(host: DatabaseHost, source: DatabaseHost) {
      await kill(host);
      await copyTo(host, source);
      await start(host);
    },
  };
}

export function getDatabaseUrl(role: string, hosts: readonly DatabaseHost[]): string {
  return `postgresql://${role}@${hosts.map((host) => `${getAddress(host)}:5432`).join(',')}/qr`;
}

/** Run a statement as superuser on its own connection. */
export async function runSql<Row extends pg.QueryResultRow>(
  host: DatabaseHost,
  sql: string,
  database = 'qr',
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({
    host: getAddress(host),
    user: 'postgres',
    database,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
