import type { Dirent } from 'node:fs';
import { lstat, opendir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { generateRandomAlphanumeric } from '../../../shared/ids.ts';
import { nullIfFileMissing } from './disk-operations.ts';

const PARTIAL_PATH_PATTERN = /^(?:[a-z0-9][a-z0-9.-]*\/)?\.[a-z0-9][a-z0-9.-]*\.part$/;

/** Create the temporary path of a file; no other file can have that name. */
export function createPartialFileName(path: string): string {
  return `.${basename(path)}.${generateRandomAlphanumeric(8)}.part`;
}

/** Find the temporary paths of a file. */
export async function findPartialFiles(path: string): Promise<string[]> {
  const folder = dirname(path);
  const names = (await nullIfFileMissing(readdir(folder))) ?? [];
  return names
    .filter((name) => name.startsWith(`.${basename(path)}.`) && isPartialFilePath(name))
    .map((name) => join(folder, name));
}

export function isPartialFilePath(path: string): boolean {
  return PARTIAL_PATH_PATTERN.test(path);
}

interface FolderFile {
  path: string;
  size: number;
  modifiedAt: Date;
  isPartial: boolean;
}

/** List files recursively in no order, without links; an absent folder is empty. */
export async function* listFolderFiles(root: string): AsyncGenerator<FolderFile> {
  for await (const entry of readFolderEntries(root)) {
    if (!entry.isDirectory()) yield* statFolderFile(root, entry.name);
    else
      for await (const file of readFolderEntries(join(root, entry.name)))
        yield* statFolderFile(root, `${entry.name}/${file.name}`);
  }
}

async function* readFolderEntries(folder: string): AsyncGenerator<Dirent> {
  const directory = await nullIfFileMissing(opendir(folder));
  if (directory) yield* directory;
}

async function* statFolderFile(root: string, path: string): AsyncGenerator<FolderFile> {
  const stats = await nullIfFileMissing(lstat(join(root, path)));
  if (stats?.isFile())
    yield { path, size: stats.size, modifiedAt: stats.mtime, isPartial: isPartialFilePath(path) };
}
