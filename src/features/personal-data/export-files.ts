import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateRandomAlphanumeric } from '../../shared/ids.ts';

/** Ends the name of an incomplete file. */
const PARTIAL_SUFFIX = '.part';

/** Create a file name for one attempt of an export. */
export function createDataExportFileName(exportId: string): string {
  return `${exportId}-${generateRandomAlphanumeric(16)}.age`;
}

/**
 * Write a file that only the operating system user of the service can read, and return its size in bytes. The file gets
 * its name once it is complete and flushed to disk; it is deleted if writing fails.
 */
export async function writeDataExportFile(folder: string, name: string, content: Readable): Promise<number> {
  const partial = join(folder, `${name}${PARTIAL_SUFFIX}`);
  try {
    await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
    const { size } = await stat(partial);
    await rename(partial, join(folder, name));
    await syncFolder(folder);
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Open a file for reading; null if it is absent. */
export async function openDataExportFile(folder: string, name: string): Promise<Readable | null> {
  const file = await open(join(folder, name), 'r').catch((error: unknown) => {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  });
  return file?.createReadStream() ?? null;
}

/** Delete a file if it exists. */
export async function removeDataExportFile(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}

/** List the names of files, complete or not, that were last modified before a time. */
export async function listOldDataExportFiles(folder: string, before: Date): Promise<string[]> {
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats?.isFile() && stats.mtime < before) old.push(name);
  }
  return old;
}

/** Flush the new name to disk. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}
