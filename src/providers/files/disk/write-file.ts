import { type FileHandle, link, lstat, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLane } from '../../../shared/lane.ts';
import { FileExistsError } from '../files.port.ts';
import { codeOf, ifThere, onDisk, openNew, syncFolder } from './folder.ts';
import { partialName } from './list-folder.ts';

/** Bytes that are written at once. */
const BATCH_BYTES = 256 * 1024;

/** A hundred files that are synced at once would keep the database's commits waiting for the disk. */
const inSyncs = createLane(2);

/** Codes by which a file system says that it knows no second names of a file. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Writes a new file under a temporary name and answers its size; it has its own name when all is on the disk.
 * Throws FileExistsError, what `content` throws, and PROVIDER_UNAVAILABLE for a disk that is full.
 */
export async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  modes: { file: number; folder: number | null },
): Promise<number> {
  const folder = dirname(path);
  const partial = join(folder, partialName(path));
  const file = await openNew(partial, modes);
  try {
    const size = await fill(file, content).finally(() => file.close());
    await give(partial, path);
    await syncFolder(folder);
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes what comes, some of it at once, and has the next made meanwhile. */
async function fill(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  async function writeBatch(): Promise<void> {
    // One at a time, each where the one before ended.
    await writing;
    writing = onDisk(writeAll(file, batch, batchBytes));
    // Whoever awaits it comes later.
    writing.catch(() => {});
    [batch, batchBytes] = [[], 0];
  }
  try {
    for await (const chunk of content) {
      batch.push(chunk);
      batchBytes += chunk.byteLength;
      size += chunk.byteLength;
      if (batchBytes >= BATCH_BYTES) await writeBatch();
    }
    await writeBatch();
  } finally {
    await writing;
  }
  await inSyncs(() => onDisk(file.sync()));
  return size;
}

/** A disk may take less than it was given. */
async function writeAll(file: FileHandle, batch: readonly Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(batch);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten));
}

/** A rename would take the place of a file that has the name. */
async function give(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
    await unlink(partial);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileExistsError({ cause: error });
    if (!NO_LINKS.includes(codeOf(error))) return onDisk(Promise.reject(error));
    if (await ifThere(lstat(path))) throw new FileExistsError({ cause: error });
    await onDisk(rename(partial, path));
  }
}
