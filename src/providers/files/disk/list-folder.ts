import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { generateRandomName } from '../../../shared/ids.ts';
import { nullIfMissing } from './disk-operations.ts';

const PARTIAL_PATH_PATTERN = /^(?:[a-z0-9][a-z0-9.-]*\/)?\.[a-z0-9][a-z0-9.-]*\.part$/;

/** Create the temporary path of a file; no other file can have that name. */
export function createPartialName(path: string): string {
  return `.${basename(path)}.${generateRandomName(8)}.part`;
}

export function isPartialPath(path: string): boolean {
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
  const directory = await nullIfMissing(opendir(folder));
  if (directory) yield* directory;
}

async function* statFolderFile(root: string, path: string): AsyncGenerator<FolderFile> {
  const stats = await nullIfMissing(lstat(join(root, path)));
  if (stats?.isFile())
    yield { path, size: stats.size, modifiedAt: stats.mtime, isPartial: isPartialPath(path) };
}
