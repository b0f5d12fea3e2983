import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Write a file with mode 0600 atomically and durably. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = await writeTemporaryFile(path, text);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

export async function createPrivateFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // Separate, since the mode would also apply to the parents.
  await mkdir(path, { recursive: true, mode: 0o700 });
}

export async function readFileIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

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
