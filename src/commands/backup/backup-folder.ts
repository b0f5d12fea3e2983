import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../shared/durations.ts';
import { createPrivateFolder, fsyncFolder } from '../../start/private-file.ts';
import { MANIFEST_FILE } from './manifest.ts';

const NAME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** Begins with a dot, so that nobody takes it for a backup. */
const INCOMPLETE_NAME_PATTERN = /^\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.[0-9a-f]{12}\.incomplete$/;

/** Of what a killed backup left. */
const MAX_INCOMPLETE_AGE_MS = DAY_MS;

/**
 * Let `write` fill a new folder in `parent` (mode 0700), and give the folder its name when all of it is on the disk;
 * returns its path. After an error nothing is left of it.
 */
export async function writeBackupFolder(
  parent: string,
  write: (folder: string) => Promise<void>,
): Promise<string> {
  await createPrivateFolder(parent);
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const draft = join(parent, createIncompleteName(name));
  await mkdir(draft, { mode: 0o700 });
  try {
    await write(draft);
    await fsyncFolder(draft);
    await rename(draft, join(parent, name));
    await fsyncFolder(parent);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return join(parent, name);
}

/** Remove all complete backups but the newest, and what killed backups left; returns the number of the former. */
export async function removeOldBackups(parent: string, keep: number): Promise<number> {
  const names = await readdir(parent);
  for (const name of names.filter((one) => INCOMPLETE_NAME_PATTERN.test(one)))
    if (await isOld(join(parent, name))) await rm(join(parent, name), { recursive: true, force: true });
  const old = (await listBackups(parent)).slice(0, -keep);
  for (const name of old) {
    // Renamed first: an interrupted removal leaves nothing that could be taken for a backup.
    const draft = join(parent, createIncompleteName(name));
    await rename(join(parent, name), draft);
    await rm(draft, { recursive: true, force: true });
  }
  return old.length;
}

/** Get when the newest complete backup in a folder began, in Unix milliseconds. */
export async function findNewestBackupTime(parent: string): Promise<number | undefined> {
  if (!(await exists(parent))) return undefined;
  const times = (await listBackups(parent)).map((name) =>
    Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z')),
  );
  // A clock that was wrong once can have named one after a time to come.
  return times.findLast((time) => time <= Date.now());
}

/** List the names of complete backups, the oldest first. */
async function listBackups(parent: string): Promise<string[]> {
  const backups: string[] = [];
  for (const name of await readdir(parent))
    if (NAME_PATTERN.test(name) && (await exists(join(parent, name, MANIFEST_FILE)))) backups.push(name);
  return backups.sort();
}

function createIncompleteName(name: string): string {
  return `.${name}.${randomBytes(6).toString('hex')}.incomplete`;
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs > MAX_INCOMPLETE_AGE_MS;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
