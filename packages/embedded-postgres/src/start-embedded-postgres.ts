import { chmod, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Cluster } from './cluster.ts';
import { clearCluster } from './cluster-processes.ts';
import { ensureCluster } from './create-cluster.ts';
import {
  addressesOf,
  areAccepted,
  type DatabaseAccess,
  type DatabaseAddresses,
  newPasswords,
  readAccess,
  removeAccess,
  writeAccess,
} from './database-addresses.ts';
import { freePort } from './free-port.ts';
import { keepRunning } from './keep-postgres-running.ts';
import type { Log } from './log.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { limitReader, setRolePasswords } from './postgres-roles.ts';
import { adoptPostmaster, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { makePrivateFolder } from './private-file.ts';
import { type PostgresUser, postgresUser, refuseUnreachable } from './system-user.ts';

/** A running embedded database. */
export interface EmbeddedPostgres extends DatabaseAddresses {
  /** Stops the server, in under four seconds, and leaves no process. Safe to call twice. */
  stop(): Promise<void>;
}

interface StartOptions {
  dataDir: string;
  log: Log;
  /** Gives up a start under way and ends the server. */
  abort?: AbortSignal | undefined;
  /** Settings of a server whose data is thrown away. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Brings up the real PostgreSQL in `<dataDir>/postgres`, on loopback and with passwords, and keeps it
 * up: a server that dies is started again on the same port. One left running by a service that was
 * killed is taken over. The addresses are in `database-url`, `database-url-app` and `reporting-url`
 * (mode 0600). The caller holds the lock of the data folder.
 * @throws Error that says what to do, where PostgreSQL cannot run here
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  await makePrivateFolder(resolve(options.dataDir));
  const dataDir = await realpath(options.dataDir);
  const cluster = await prepareCluster(dataDir, options.settings ?? {});
  const start = { dataDir, log: options.log, abort: options.abort ?? new AbortController().signal };
  const { postmaster, access } = (await takeOver(cluster, start)) ?? (await startUp(cluster, start));
  const keeper = keepRunning(cluster, postmaster, { logFile: logFileOf(dataDir), log: options.log });
  return { ...addressesOf(access), stop: keeper.stop };
}

interface Started {
  postmaster: Postmaster;
  access: DatabaseAccess;
}

type Start = Pick<StartOptions, 'dataDir' | 'log'> & { abort: AbortSignal };

async function prepareCluster(dataDir: string, settings: Cluster['settings']): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  const cluster = { folder, binaries: findPostgresBinaries(), user: await postgresUser(folder), settings };
  if (cluster.user) await refuseWithoutWay(dataDir, dirname(cluster.binaries.postgres), cluster.user);
  await ensureCluster(cluster);
  return cluster;
}

async function refuseWithoutWay(dataDir: string, programs: string, user: PostgresUser): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  // The folder is the service's own, so it may be opened for passing through (not for listing).
  if (uid !== user.uid && dataDir !== homedir()) await chmod(dataDir, mode | 0o001);
  await refuseUnreachable(
    dataDir,
    user,
    'Set DATA_DIR to a folder that everybody may enter, such as /var/lib/qr-profile-service, ' +
      'or run the service as an ordinary user.',
  );
  await refuseUnreachable(
    programs,
    user,
    'Install the service in a folder that everybody may enter, run it as an ordinary user, ' +
      'or set DATABASE_URL to a PostgreSQL server.',
  );
}

async function takeOver(cluster: Cluster, { dataDir, log }: Start): Promise<Started | undefined> {
  const postmaster = await adoptPostmaster(cluster);
  if (!postmaster) return undefined;
  const known = await readAccess(dataDir);
  const access = known && { ...known, port: postmaster.port };
  if (access && (await areAccepted(access))) {
    await writeAccess(dataDir, access);
    log.info({ port: access.port }, 'took over the database server that was still running');
    return { postmaster, access };
  }
  // Passwords can only be set while it is down.
  await stopPostmaster(cluster, postmaster, 2_500);
  return undefined;
}

async function startUp(cluster: Cluster, start: Start): Promise<Started> {
  await clearCluster(cluster.folder);
  await limitReader(cluster);
  const known = await readAccess(start.dataDir);
  if (known) {
    const started = await startWith(known, cluster, start);
    if (await areAccepted(started.access)) return started;
    // A cluster from a copy, say, with files from elsewhere.
    start.log.warn({}, 'the database does not know the passwords in the data folder; new ones are made');
    await stopPostmaster(cluster, started.postmaster, 2_500);
  }
  const passwords = newPasswords();
  await removeAccess(start.dataDir);
  await setRolePasswords(cluster, passwords);
  return startWith({ port: known?.port ?? (await freePort()), passwords }, cluster, start);
}

async function startWith(known: DatabaseAccess, cluster: Cluster, start: Start): Promise<Started> {
  const access = { ...known, port: await freePort(known.port) };
  await writeAccess(start.dataDir, access);
  const postmaster = await startPostmaster(cluster, {
    port: access.port,
    logFile: logFileOf(start.dataDir),
    abort: start.abort,
  });
  return { postmaster, access };
}

function logFileOf(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}
