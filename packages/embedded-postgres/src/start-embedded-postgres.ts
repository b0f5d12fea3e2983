import { chmod, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Cluster } from './cluster.ts';
import { prepareClusterForStart } from './cluster-processes.ts';
import { ensureCluster } from './create-cluster.ts';
import {
  arePasswordsAccepted,
  type DatabaseAccess,
  type DatabaseAddresses,
  generatePasswords,
  readDatabaseAccess,
  removeDatabaseAccess,
  toDatabaseAddresses,
  writeDatabaseAccess,
} from './database-addresses.ts';
import { findFreePort } from './find-free-port.ts';
import { keepPostgresRunning } from './keep-postgres-running.ts';
import type { Log } from './log.ts';
import { findPostgresBinaries, readPostgresBinaries } from './postgres-binaries.ts';
import { prepareRoles, setRolePasswords } from './postgres-roles.ts';
import { adoptPostmaster, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { createPrivateFolder } from './private-file.ts';
import { assertFolderReachable, getPostgresUser, type PostgresUser } from './system-user.ts';

export interface EmbeddedPostgres extends DatabaseAddresses {
  /** Stop the server within four seconds; safe to call twice. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  dataDir: string;
  log: Log;
  /** Aborts a start and stops the server. */
  abort?: AbortSignal | undefined;
  /** Folder of other programs than those that npm installed. */
  binariesFolder?: string | undefined;
  /** Settings for a server with temporary data. */
  settings?: Readonly<Record<string, string>>;
}

/** Start or adopt PostgreSQL in a data folder, which the caller must lock. @throws Error with instructions */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await createPrivateFolder(resolve(options.dataDir));
  const dataDir = await realpath(options.dataDir);
  const cluster = await prepareCluster(dataDir, options);
  const start = { dataDir, log: options.log, abort: options.abort ?? new AbortController().signal };
  const { postmaster, access } =
    (await adoptRunningServer(cluster, start)) ?? (await startServer(cluster, start));
  const supervisor = keepPostgresRunning(cluster, postmaster, {
    logFile: getLogFilePath(dataDir),
    log: options.log,
  });
  return { ...toDatabaseAddresses(access), stop: supervisor.stop };
}

interface RunningPostmaster {
  postmaster: Postmaster;
  access: DatabaseAccess;
}

type StartContext = Pick<EmbeddedPostgresOptions, 'dataDir' | 'log'> & { abort: AbortSignal };

async function prepareCluster(
  dataDir: string,
  { binariesFolder, settings = {}, log }: EmbeddedPostgresOptions,
): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  const binaries = binariesFolder ? readPostgresBinaries(binariesFolder) : findPostgresBinaries();
  const cluster = { folder, binaries, user: await getPostgresUser(folder), settings };
  if (cluster.user) await assertFoldersReachable(dataDir, dirname(cluster.binaries.postgres), cluster.user);
  await ensureCluster(cluster, log);
  return cluster;
}

async function assertFoldersReachable(dataDir: string, programs: string, user: PostgresUser): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  // The folder is the service's own, so it may get execute permission (without listing).
  if (uid !== user.uid && dataDir !== homedir()) await chmod(dataDir, mode | 0o001);
  await assertFolderReachable(
    dataDir,
    user,
    'Set DATA_DIR to a folder that all users can access, such as /var/lib/qr-profile-service, ' +
      'or run the service as an ordinary user.',
  );
  await assertFolderReachable(
    programs,
    user,
    'Install the service in a folder that all users can access, run it as an ordinary user, ' +
      'or set DATABASE_URL to a PostgreSQL server.',
  );
}

async function adoptRunningServer(
  cluster: Cluster,
  { dataDir, log }: StartContext,
): Promise<RunningPostmaster | undefined> {
  const postmaster = await adoptPostmaster(cluster);
  if (!postmaster) return undefined;
  const known = await readDatabaseAccess(dataDir);
  const access = known && { ...known, port: postmaster.port };
  if (access && (await arePasswordsAccepted(access))) {
    await writeDatabaseAccess(dataDir, access);
    log.info({ port: access.port }, 'adopted the running database server');
    return { postmaster, access };
  }
  // Passwords can be set only while it is stopped.
  await stopPostmaster(cluster, postmaster, 2_500);
  return undefined;
}

async function startServer(cluster: Cluster, start: StartContext): Promise<RunningPostmaster> {
  start.log.info({}, 'starting the database');
  await prepareClusterForStart(cluster.folder);
  await prepareRoles(cluster);
  const known = await readDatabaseAccess(start.dataDir);
  if (known) {
    const started = await startWithAccess(known, cluster, start);
    if (await arePasswordsAccepted(started.access)) return started;
    // The files may belong to another copy of the cluster.
    start.log.warn({}, 'the passwords in the data folder are invalid; generating new ones');
    await stopPostmaster(cluster, started.postmaster, 2_500);
  }
  const passwords = generatePasswords();
  await removeDatabaseAccess(start.dataDir);
  await setRolePasswords(cluster, passwords);
  return startWithAccess({ port: known?.port ?? (await findFreePort()), passwords }, cluster, start);
}

async function startWithAccess(
  known: DatabaseAccess,
  cluster: Cluster,
  start: StartContext,
): Promise<RunningPostmaster> {
  const access = { ...known, port: await findFreePort(known.port) };
  await writeDatabaseAccess(start.dataDir, access);
  const postmaster = await startPostmaster(cluster, {
    port: access.port,
    logFile: getLogFilePath(start.dataDir),
    abort: start.abort,
  });
  return { postmaster, access };
}

function getLogFilePath(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}
