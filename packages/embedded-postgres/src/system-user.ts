import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** The system user for PostgreSQL, if it is not the user of this process. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/**
 * Get the user for PostgreSQL, which does not run as root: undefined for an ordinary user; for root the owner
 * of an existing cluster, otherwise `postgres`, which is created when missing.
 */
export async function getPostgresUser(cluster: string): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await findPostgresUser()) ?? (await createPostgresUser());
}

/** @throws Error with `remedy` that names the folder which the user may not enter */
export async function assertFolderReachable(path: string, user: PostgresUser, remedy: string): Promise<void> {
  const target = await realpath(path);
  for (let folder = target; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) {
      const way = folder === target ? '' : `, a parent of ${target}`;
      throw new Error(
        `PostgreSQL does not run as root, and its system user (uid ${user.uid}) cannot access ` +
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
  // They may exist or be created by another first start.
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
    'PostgreSQL does not run as root, and the system user `postgres` could not be created. ' +
      'Run the service as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}
