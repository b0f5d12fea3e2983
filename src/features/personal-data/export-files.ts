import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateRandomName } from '../../shared/ids.ts';

/** What a file is called until it is whole. */
const PARTIAL_SUFFIX = '.part';

/** A new file name for an export; each try has one of its own. */
export function createExportFileName(exportId: string): string {
  return `${exportId}-${generateRandomName(16)}.age`;
}

/**
 * Writes a file that only this account of the machine can read and answers its size in bytes. It has its name when it is
 * whole and on the disk; of one that fails nothing stays.
 */
export async function writeExportFile(folder: string, name: string, content: Readable): Promise<number> {
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

/** Opens a file for reading; null when it is not there. */
export async function openExportFile(folder: string, name: string): Promise<Readable | null> {
  const file = await open(join(folder, name), 'r').catch((error: unknown) => {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  });
  return file?.createReadStream() ?? null;
}

/** Removes a file; nothing happens when it is gone already. */
export async function removeExportFile(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}

/** Names of files, whole or not, that were last written before this moment. */
export async function listOldExportFiles(folder: string, before: Date): Promise<string[]> {
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats?.isFile() && stats.mtime < before) old.push(name);
  }
  return old;
}

/** The new name is on the disk, too. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}
