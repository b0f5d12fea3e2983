import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A folder, pipe or device, which could wait or never end. */
export class NotRegularFileError extends Error {}

/** Read a regular file of up to `maxBytes`; null if it is larger. @throws NotRegularFileError, or an error with a code */
export function readBoundedFile(path: string, maxBytes: number): Buffer | null {
  // Opening a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new NotRegularFileError();
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const count = readSync(file, buffer, length, buffer.length - length, null);
      length += count;
      if (length > maxBytes) return null;
      if (count === 0) return buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}
