import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Write a private file (mode 0600) atomically, also across a power loss. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = await writeTemporaryFile(path, text);
  await rename(draft, path);
  await fsyncFolder(dirname(path));
}

/** Create a private file, never replacing one; false where it exists. */
export async function createPrivateFile(path: string, text: string): Promise<boolean> {
  const draft = await writeTemporaryFile(path, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (getSystemErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
    await fsyncFolder(dirname(path));
  }
}

/** Create a private folder (mode 0700) and its parents. */
export async function createPrivateFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // Separately: the mode would apply to the parents too.
  await mkdir(path, { recursive: true, mode: 0o700 });
}

export async function readFileIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function getSystemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Make new and renamed files in a folder survive a power loss. */
export async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeTemporaryFile(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
