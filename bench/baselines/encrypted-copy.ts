import { createSecretKey } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  decryptChunks,
  encryptChunks,
  getEncryptedChunkRange,
} from '../../src/shared/crypto/chunked-cipher.ts';

const CHUNK_BYTES = 65_536;

/** Baseline of transfers: copy a file through the encryption of private files; `bytes` is its size without it. */
export async function copyWithEncryption(
  key: Buffer,
  direction: 'encrypt' | 'decrypt',
  from: string,
  to: string,
  bytes: number,
): Promise<void> {
  const fileKey = { key: createSecretKey(key), fileId: '0'.repeat(24) };
  const target = createWriteStream(to, { flush: true });
  if (direction === 'encrypt') {
    const source = createReadStream(from, { highWaterMark: CHUNK_BYTES });
    return pipeline(encryptChunks(fileKey, source), target);
  }
  const range = getEncryptedChunkRange(bytes, { first: 0, last: bytes - 1 });
  const encrypted = createReadStream(from, {
    start: range.first,
    end: range.last,
    highWaterMark: CHUNK_BYTES,
  });
  return pipeline(decryptChunks(fileKey, bytes, range, encrypted), target);
}
