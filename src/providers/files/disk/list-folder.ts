import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { randomName } from '../../../shared/ids.ts';
import { ifThere } from './folder.ts';

const PARTIAL_PATH = /^(?:[a-z0-9][a-z0-9.-]*\/)?\.[a-z0-9][a-z0-9.-]*\.part$/;

/** What a file of this name is called until it is whole; nobody else's, and no name that a file may have. */
export function partialName(path: string): string {
  return `.${basename(path)}.${randomName(8)}.part`;
}

/** Whether this is the path, below a store's folder, of a file that is not whole. */
export function isPartialPath(path: string): boolean {
  return PARTIAL_PATH.test(path);
}

/** A file, by its path below the folder. */
interface Found {
  path: string;
  size: number;
  modifiedAt: Date;
  isPartial: boolean;
}

/** The files of a folder and of those in it, in no order; links are none. A folder that is not there has none. */
export async function* listFolder(root: string): AsyncGenerator<Found> {
  for await (const entry of entriesOf(root)) {
    if (!entry.isDirectory()) yield* factsOf(root, entry.name);
    else
      for await (const file of entriesOf(join(root, entry.name)))
        yield* factsOf(root, `${entry.name}/${file.name}`);
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const directory = await ifThere(opendir(folder));
  if (directory) yield* directory;
}

/** None for what went meanwhile, or is no file. */
async function* factsOf(root: string, path: string): AsyncGenerator<Found> {
  const stats = await ifThere(lstat(join(root, path)));
  if (stats?.isFile())
    yield { path, size: stats.size, modifiedAt: stats.mtime, isPartial: isPartialPath(path) };
}
