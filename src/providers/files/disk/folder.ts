import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeFailure } from '../store-failure.ts';

/** Codes of a disk that is full, broken, or a network that does not answer. */
const AWAY = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ESTALE', 'ETIMEDOUT'];

/** The code of an error of the file system. */
export function codeOf(error: unknown): string {
  return error instanceof Error ? String(Reflect.get(error, 'code')) : '';
}

/** What `work` answers. Throws PROVIDER_UNAVAILABLE where the disk is full or does not answer. */
export async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw AWAY.includes(codeOf(error)) ? storeFailure(error) : error;
  }
}

/** The same, and null for what is not there. */
export async function ifThere<Result>(work: Promise<Result>, others: string[] = []): Promise<Result | null> {
  try {
    return await onDisk(work);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', ...others].includes(codeOf(error))) return null;
    throw error;
  }
}

/**
 * Opens a new file, and makes its folder where those have a mode; the one around it has to be there: a disk that was taken
 * away is not made anew beneath its name. Throws PROVIDER_UNAVAILABLE where it is not.
 */
export async function openNew(
  path: string,
  modes: { file: number; folder: number | null },
): Promise<FileHandle> {
  const opened = () => ifThere(open(path, 'wx', modes.file));
  const known = await opened();
  if (known) return known;
  if (modes.folder !== null) await makeFolder(dirname(path), modes.folder);
  const file = await opened();
  if (file) return file;
  throw storeFailure(new Error('The folder of the files is not there.'));
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  await ifThere(mkdir(folder, { mode }), ['EEXIST']);
  await ifThere(syncFolder(dirname(folder)));
}

/** Names that were added to a folder, or taken from it, are on the disk when this resolves. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps their names in its journal.
  if (process.platform === 'win32') return;
  const directory = await onDisk(open(folder, 'r'));
  await onDisk(directory.sync()).finally(() => directory.close());
}
