import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFileStoreUnavailableError } from '../store-unavailable-error.ts';

/** Codes of a disk that is full or broken, or of an unreachable network disk. */
const DISK_UNAVAILABLE_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ESTALE', 'ETIMEDOUT'];

export function getDiskErrorCode(error: unknown): string {
  return error instanceof Error ? String(Reflect.get(error, 'code')) : '';
}

/** @throws PROVIDER_UNAVAILABLE when the disk is full or does not respond */
export async function mapDiskErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw DISK_UNAVAILABLE_CODES.includes(getDiskErrorCode(error))
      ? createFileStoreUnavailableError(error)
      : error;
  }
}

export async function nullIfFileMissing<Result>(
  work: Promise<Result>,
  ignoredCodes: string[] = [],
): Promise<Result | null> {
  try {
    return await mapDiskErrors(work);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', ...ignoredCodes].includes(getDiskErrorCode(error))) return null;
    throw error;
  }
}

/** Open a new file, not recreating the mount point of an unmounted disk. @throws PROVIDER_UNAVAILABLE */
export async function openNewFile(
  path: string,
  modes: { file: number; folder: number | null },
): Promise<FileHandle> {
  const openExclusive = () => nullIfFileMissing(open(path, 'wx', modes.file));
  const existing = await openExclusive();
  if (existing) return existing;
  if (modes.folder !== null) await createFolder(dirname(path), modes.folder);
  const file = await openExclusive();
  if (file) return file;
  throw createFileStoreUnavailableError(new Error('The storage folder is missing.'));
}

async function createFolder(folder: string, mode: number): Promise<void> {
  await nullIfFileMissing(mkdir(folder, { mode }), ['EEXIST']);
  await nullIfFileMissing(fsyncStoreFolder(dirname(folder)));
}

export async function fsyncStoreFolder(folder: string): Promise<void> {
  // Windows cannot open folders and journals their names.
  if (process.platform === 'win32') return;
  const directory = await mapDiskErrors(open(folder, 'r'));
  await mapDiskErrors(directory.sync()).finally(() => directory.close());
}
