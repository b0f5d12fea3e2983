import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { generateRandomName } from '../../../shared/ids.ts';
import { nullIfMissing } from './disk-operations.ts';

const PARTIAL_PATH_PATTERN = /^(?:[a-z0-9][a-z0-9.-]*\/)?\.[a-z0-9][a-z0-9.-]*\.part$/;

/** What a file of this name is called until it is whole; nobody else's, and no name that a file may have. */
export function createPartialName(path: string): string {
  return `.${basename(path)}.${generateRandomName(8)}.part`;
}

/** Whether this is the path, below a store's folder, of a file that is not whole. */
export function isPartialPath(path: string): boolean {
  return PARTIAL_PATH_PATTERN.test(path);
}

/** A file, by its path below the folder. */
interface FolderFile {
  path: string;
  size: number;
  modifiedAt: Date;
  isPartial: boolean;
}

/** The files of a folder and of those in it, in no order; links are none. A folder that is not there has none. */
export async function* listFolderFiles(root: string): AsyncGenerator<FolderFile> {
  for await (const entry of readFolderEntries(root)) {
    if (!entry.isDirectory()) yield* statFolderFile(root, entry.name);
    else
      for await (const file of readFolderEntries(join(root, entry.name)))
        yield* statFolderFile(root, `${entry.name}/${file.name}`);
  }
}

async function* readFolderEntries(folder: string): AsyncGenerator<Dirent> {
  const directory = await nullIfMissing(opendir(folder));
  if (directory) yield* directory;
}

/** None for what went meanwhile, or is no file. */
async function* statFolderFile(root: string, path: string): AsyncGenerator<FolderFile> {
  const stats = await nullIfMissing(lstat(join(root, path)));
  if (stats?.isFile())
    yield { path, size: stats.size, modifiedAt: stats.mtime, isPartial: isPartialPath(path) };
}
