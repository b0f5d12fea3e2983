import { chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { terminateOrphanedProcesses } from './cluster-processes.ts';
import type { Log } from './log.ts';
import { createRoles } from './postgres-roles.ts';
import { readFileIfExists, syncFolder } from './private-file.ts';
import { runClusterProgram } from './run-cluster-program.ts';

// Without LANG initdb would choose SQL_ASCII.
const INITDB_FLAGS = [
  '--username=postgres',
  '--encoding=UTF8',
  '--lc-collate=C',
  '--lc-ctype=C.UTF-8',
  '--lc-messages=C',
  '--auth-local=reject',
  // The superuser has no password, so nobody can log in as it.
  '--auth-host=scram-sha-256',
];

/** Independent of the system's locales. */
const BUILTIN_LOCALE_FLAGS = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const MIN_BUILTIN_LOCALE_VERSION = 17;

/** Create a cluster unless it exists; a kill leaves no part of it. @throws Error for another major version */
export async function ensureCluster(cluster: Cluster, log: Log): Promise<void> {
  const { majorVersion } = cluster.binaries;
  await removeIncompleteClusters(cluster.folder);
  const version = (await readFileIfExists(join(cluster.folder, 'PG_VERSION')))?.trim();
  if (version === majorVersion) return;
  if (version !== undefined) {
    throw new Error(
      `${cluster.folder} was created by PostgreSQL ${version}, but this is version ${majorVersion}. ` +
        'Migrate the data with pg_dump and pg_restore, or set another DATA_DIR.',
    );
  }
  log.info({}, 'creating the database, at the first start only');
  const draft = { ...cluster, folder: await mkdtemp(`${cluster.folder}.new-`) };
  if (draft.user) await chown(draft.folder, draft.user.uid, draft.user.gid);
  await runInitdb(draft);
  await createRoles(draft);
  await rename(draft.folder, cluster.folder);
  await syncFolder(dirname(cluster.folder));
}

async function removeIncompleteClusters(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.new-`)) continue;
    const draft = join(dirname(folder), name);
    // initdb survives a killed start.
    await terminateOrphanedProcesses(draft, 0);
    await rm(draft, { recursive: true, force: true });
  }
}

function runInitdb(cluster: Cluster): Promise<void> {
  const { initdb, majorVersion } = cluster.binaries;
  const localeFlags = Number(majorVersion) >= MIN_BUILTIN_LOCALE_VERSION ? BUILTIN_LOCALE_FLAGS : [];
  return runClusterProgram(cluster, initdb, {
    arguments: [`--pgdata=${cluster.folder}`, ...INITDB_FLAGS, ...localeFlags],
    failure: `initdb failed in ${cluster.folder}`,
  });
}
