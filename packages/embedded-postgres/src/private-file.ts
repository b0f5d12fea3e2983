import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner may read (mode 0600), whole or not at all: a kill or a loss of
 * power leaves the old content or the new one.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = await writeTemporaryFile(path, text);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Makes a folder that only its owner may enter (mode 0700), where it is missing, and those above it. */
export async function createPrivateFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // In a step of its own: the mode would count for those above it too.
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** The text of a file, or undefined where there is none. */
export async function readFileIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The code of a system error, such as ENOENT; undefined for anything else. */
export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Makes the names in a folder, new or renamed, survive a loss of power. */
export async function syncFolder(path: string): Promise<void> {
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
