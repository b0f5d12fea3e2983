import { close, constants, createReadStream, fstat, open } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ByteRange } from '../files.port.ts';
import { ifThere, onDisk } from './folder.ts';

/** Links lead elsewhere, and are not followed. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

const BUFFER = 64 * 1024;

// A stream over a number costs two thirds of one over a FileHandle.
const [openNumber, factsOf, closeNumber] = [promisify(open), promisify(fstat), promisify(close)];

/** Opens a file, or a range of it; null where there is none, or what is there is none. */
export async function openFile(path: string, range?: ByteRange): Promise<Readable | null> {
  const fd = await ifThere(openNumber(path, READ), ['ELOOP']);
  if (fd === null) return null;
  try {
    const stats = await onDisk(factsOf(fd));
    if (stats.isFile())
      return createReadStream('', { fd, ...readingOf(range ?? { first: 0, last: stats.size - 1 }) });
  } catch (error) {
    await closeNumber(fd);
    throw error;
  }
  await closeNumber(fd);
  return null;
}

/** A buffer of the usual size for each small image would be most of the memory used. */
function readingOf({ first, last }: ByteRange) {
  if (last < first) return {};
  return { start: first, end: last, highWaterMark: Math.min(BUFFER, last - first + 1) };
}
