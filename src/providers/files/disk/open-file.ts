import { close, constants, createReadStream, fstat, open } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ByteRange } from '../files.port.ts';
import { mapDiskErrors, nullIfFileMissing } from './disk-operations.ts';

/** A link could lead outside of the folder. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

const MAX_BUFFER_BYTES = 64 * 1024;

// A stream over a descriptor costs two thirds of one over a FileHandle.
const [openDescriptor, statDescriptor, closeDescriptor] = [
  promisify(open),
  promisify(fstat),
  promisify(close),
];

export async function openFileForReading(path: string, range?: ByteRange): Promise<Readable | null> {
  const fd = await nullIfFileMissing(openDescriptor(path, READ_FLAGS), ['ELOOP']);
  if (fd === null) return null;
  try {
    const stats = await mapDiskErrors(statDescriptor(fd));
    if (stats.isFile())
      return createReadStream('', { fd, ...getReadOptions(range ?? { first: 0, last: stats.size - 1 }) });
  } catch (error) {
    await closeDescriptor(fd);
    throw error;
  }
  await closeDescriptor(fd);
  return null;
}

/** For small images the default buffer would be most of the memory used. */
function getReadOptions({ first, last }: ByteRange) {
  if (last < first) return {};
  return { start: first, end: last, highWaterMark: Math.min(MAX_BUFFER_BYTES, last - first + 1) };
}
