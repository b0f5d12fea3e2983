import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { FileStats, FileStore } from '../../providers/files/files.port.ts';
import { openFileStores } from '../../providers/files/open-file-stores.ts';
import type { CommandProgress } from '../progress.ts';
import { hashChunks } from './part-file.ts';

export type StoreName = 'public' | 'private';

export type FileStores = Record<StoreName, FileStore>;

/** A line of the list: with a hash for a file in the backup, with an ETag for one in a bucket. */
export interface BackupFileEntry {
  store: StoreName;
  name: string;
  size: number;
  sha256?: string;
  etag?: string;
}

export interface FileCounts {
  count: number;
  bytes: number;
}

const STORE_NAMES: readonly StoreName[] = ['public', 'private'];

/** The folders of a backup that have its files, as UPLOADS_DIR and `<DATA_DIR>/files` have them. */
export function openBackupFileStores(folder: string): FileStores {
  const { publicFiles, privateFiles } = openFileStores({
    uploadsDir: join(folder, 'uploads'),
    dataDir: folder,
    s3: null,
  });
  return { public: publicFiles, private: privateFiles };
}

/**
 * Copy the files that the backup does not have yet, and list them. Files never change; those that are removed meanwhile
 * are left out.
 */
export async function copyFiles(
  stores: FileStores,
  target: FileStores,
  list: Writable,
  { progress, signal, counts }: { progress: CommandProgress; signal: AbortSignal; counts: FileCounts },
): Promise<void> {
  let total = 0;
  for await (const _file of listFiles(stores, signal)) total += 1;
  let done = 0;
  for await (const { store, name } of listFiles(stores, signal)) {
    done += 1;
    // More than were counted where files are added meanwhile.
    if (done <= total) progress.step(done, total);
    if (await target[store].stat(name)) continue;
    const content = await stores[store].open(name);
    if (!content) continue;
    const hash = createHash('sha256');
    const size = await target[store].put(name, hashChunks(content, hash));
    await writeEntry(list, { store, name, size, sha256: hash.digest('hex') });
    counts.count += 1;
    counts.bytes += size;
  }
}

/** List the objects of a bucket. */
export async function listBucket(
  stores: FileStores,
  list: Writable,
  { signal, counts }: { signal: AbortSignal; counts: FileCounts },
): Promise<void> {
  for await (const { store, name, size, etag } of listFiles(stores, signal)) {
    await writeEntry(list, { store, name, size, ...(etag === undefined ? {} : { etag }) });
    counts.count += 1;
    counts.bytes += size;
  }
}

async function* listFiles(
  stores: FileStores,
  signal: AbortSignal,
): AsyncGenerator<FileStats & { store: StoreName }> {
  for (const store of STORE_NAMES)
    for await (const { isPartial, ...file } of stores[store].list()) {
      signal.throwIfAborted();
      if (!isPartial) yield { store, ...file };
    }
}

/** Not faster than the list is written. */
async function writeEntry(list: Writable, entry: BackupFileEntry): Promise<void> {
  if (!list.write(`${JSON.stringify(entry)}\n`)) await once(list, 'drain');
}
