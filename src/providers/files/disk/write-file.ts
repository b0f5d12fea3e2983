import { type FileHandle, link, lstat, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import { FileExistsError } from '../files.port.ts';
import {
  fsyncStoreFolder,
  getDiskErrorCode,
  mapDiskErrors,
  nullIfFileMissing,
  openNewFile,
} from './disk-operations.ts';
import { createPartialFileName } from './list-folder.ts';

const BATCH_BYTES = 256 * 1024;

/** A hundred parallel syncs would delay the database's commits. */
const syncLimiter = createConcurrencyLimiter(2);

const HARD_LINK_UNSUPPORTED_CODES = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Write a file durably, then name it. @throws FileExistsError, what `content` throws, PROVIDER_UNAVAILABLE */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  modes: { file: number; folder: number | null },
): Promise<number> {
  const folder = dirname(path);
  const partial = join(folder, createPartialFileName(path));
  const file = await openNewFile(partial, modes);
  try {
    const size = await writeContent(file, content).finally(() => file.close());
    await moveIntoPlace(partial, path);
    await fsyncStoreFolder(folder);
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeContent(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  async function writeBatch(): Promise<void> {
    // One at a time, each at the offset where the last one ended.
    await writing;
    writing = mapDiskErrors(writeBuffers(file, batch, batchBytes));
    // It is awaited later.
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
  await syncLimiter(() => mapDiskErrors(file.sync()));
  return size;
}

/** A write may be partial. */
async function writeBuffers(file: FileHandle, batch: readonly Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(batch);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten));
}

/** A rename would replace an existing file. */
async function moveIntoPlace(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
    await unlink(partial);
  } catch (error) {
    if (getDiskErrorCode(error) === 'EEXIST') throw new FileExistsError({ cause: error });
    if (!HARD_LINK_UNSUPPORTED_CODES.includes(getDiskErrorCode(error)))
      return mapDiskErrors(Promise.reject(error));
    if (await nullIfFileMissing(lstat(path))) throw new FileExistsError({ cause: error });
    await mapDiskErrors(rename(partial, path));
  }
}
