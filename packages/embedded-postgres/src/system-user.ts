import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** The system user that PostgreSQL runs as, where it is not the one that runs this process. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/**
 * Who runs PostgreSQL, which refuses to run as root: undefined (this process's own user) for an
 * ordinary user; for root the owner of an existing cluster, else the system user `postgres`, which is
 * made where it is missing.
 * @param cluster the cluster's folder, which need not exist yet
 */
export async function getPostgresUser(cluster: string): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await findPostgresUser()) ?? (await createPostgresUser());
}

/**
 * Checks that the user may enter a folder, and each folder above it.
 * @param remedy what the operator can do, as sentences for the message
 * @throws Error that names the folder in the way
 */
export async function assertFolderReachable(path: string, user: PostgresUser, remedy: string): Promise<void> {
  const target = await realpath(path);
  for (let folder = target; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) {
      const way = folder === target ? '' : `, which lies on the way to ${target}`;
      throw new Error(
        `PostgreSQL does not run as root, and the system user it runs as (uid ${user.uid}) may not enter ` +
          `${folder}${way}. ${remedy}`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

async function findPostgresUser(): Promise<PostgresUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([
      execFileAsync('id', ['-u', 'postgres']),
      execFileAsync('id', ['-g', 'postgres']),
    ]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createPostgresUser(): Promise<PostgresUser> {
  // Either may be there already, or be made by another first start at this moment.
  await execFileAsync('groupadd', ['--system', 'postgres']).catch(() => {});
  await execFileAsync('useradd', [
    '--system',
    '--gid',
    'postgres',
    '--shell',
    '/usr/sbin/nologin',
    'postgres',
  ]).catch(() => {});
  const user = await findPostgresUser();
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and a system user `postgres` could not be made. ' +
      'Run the service as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}
