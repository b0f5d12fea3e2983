import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type BackupPart, InvalidBackupError } from './manifest.ts';

/** Higher levels save a tenth of the bytes and take three times as long. */
const COMPRESSION_LEVEL = 1;

/** Write a compressed file durably, mode 0600; returns its size and hash, and what `write` returns. */
export async function writePart<Result>(
  folder: string,
  file: string,
  write: (output: Writable) => Promise<Result>,
): Promise<{ part: BackupPart; result: Result }> {
  const gzip = createGzip({ level: COMPRESSION_LEVEL });
  const hash = createHash('sha256');
  let bytes = 0;
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600, flush: true });
  const storing = pipeline(
    gzip,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
    target,
  );
  // Its error is thrown below.
  storing.catch(() => {});
  try {
    const result = await write(gzip);
    gzip.end();
    await storing;
    return { part: { bytes, sha256: hash.digest('hex') }, result };
  } catch (error) {
    // A full disk closes the stream first, which ends the copy with a less exact error.
    if (gzip.destroyed) await storing;
    gzip.destroy();
    throw error;
  }
}

/** @throws InvalidBackupError when the file is missing or is not what was written */
export async function verifyPart(
  folder: string,
  file: string,
  part: BackupPart,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    // A pipe would wait for its writer.
    if (!(await lstat(join(folder, file))).isFile()) throw createAlteredPartError(file);
    for await (const chunk of createReadStream(join(folder, file), { signal })) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT')
      throw new InvalidBackupError(`${file} is missing in the backup.`);
    throw error;
  }
  if (bytes !== part.bytes || hash.digest('hex') !== part.sha256) throw createAlteredPartError(file);
}

/**
 * Read a part uncompressed, and hash it again: who can write it could have changed it since it was verified.
 * @throws InvalidBackupError at its end
 */
export async function* readPart(folder: string, file: string, part: BackupPart): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const gunzip = createGunzip();
  // Its errors are those of `gunzip`.
  pipeline(createReadStream(join(folder, file)), (chunks) => hashChunks(chunks, hash), gunzip).catch(
    () => {},
  );
  yield* gunzip;
  if (hash.digest('hex') !== part.sha256) throw createAlteredPartError(file);
}

function createAlteredPartError(file: string): InvalidBackupError {
  return new InvalidBackupError(`${file} is not what was written: its size or SHA-256 differs.`);
}

/** Pass chunks on, and add them to a hash. */
export async function* hashChunks(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
