import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createStoreUnavailableError } from '../store-unavailable-error.ts';

/** Codes of a disk that is full, broken, or a network that does not answer. */
const DISK_UNAVAILABLE_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ESTALE', 'ETIMEDOUT'];

/** The code of an error of the file system. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error ? String(Reflect.get(error, 'code')) : '';
}

/** What `work` answers. Throws PROVIDER_UNAVAILABLE where the disk is full or does not answer. */
export async function mapDiskErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw DISK_UNAVAILABLE_CODES.includes(getErrorCode(error)) ? createStoreUnavailableError(error) : error;
  }
}

/** The same, and null for what is not there. */
export async function nullIfMissing<Result>(
  work: Promise<Result>,
  ignoredCodes: string[] = [],
): Promise<Result | null> {
  try {
    return await mapDiskErrors(work);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', ...ignoredCodes].includes(getErrorCode(error))) return null;
    throw error;
  }
}

/**
 * Opens a new file, and makes its folder where those have a mode; the one around it has to be there: a disk that was taken
 * away is not made anew beneath its name. Throws PROVIDER_UNAVAILABLE where it is not.
 */
export async function openNewFile(
  path: string,
  modes: { file: number; folder: number | null },
): Promise<FileHandle> {
  const openExclusive = () => nullIfMissing(open(path, 'wx', modes.file));
  const existing = await openExclusive();
  if (existing) return existing;
  if (modes.folder !== null) await createFolder(dirname(path), modes.folder);
  const file = await openExclusive();
  if (file) return file;
  throw createStoreUnavailableError(new Error('The folder of the files is not there.'));
}

async function createFolder(folder: string, mode: number): Promise<void> {
  await nullIfMissing(mkdir(folder, { mode }), ['EEXIST']);
  await nullIfMissing(syncFolder(dirname(folder)));
}

/** Names that were added to a folder, or taken from it, are on the disk when this resolves. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps their names in its journal.
  if (process.platform === 'win32') return;
  const directory = await mapDiskErrors(open(folder, 'r'));
  await mapDiskErrors(directory.sync()).finally(() => directory.close());
}
