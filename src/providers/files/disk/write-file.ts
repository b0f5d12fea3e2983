import { type FileHandle, link, lstat, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileExistsError } from '../files.port.ts';
import { codeOf, ifThere, onDisk, openNew, syncFolder } from './folder.ts';
import { partialName } from './list-folder.ts';

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

async function fill(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of content) {
    // Goes on where it is, and writes all of it.
    await onDisk(file.writeFile(chunk));
    size += chunk.byteLength;
  }
  await onDisk(file.sync());
  return size;
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
