// Baseline for transfers: copy a file through the encryption of private files, with the key on standard input:
// `node --import=tsx bench/files/encrypted-copy.ts encrypt|decrypt <from> <to> <bytes>`
import { createSecretKey } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  decryptChunks,
  encryptChunks,
  getEncryptedChunkRange,
} from '../../src/shared/crypto/chunked-cipher.ts';

const [direction, from = '', to = '', bytes = '0'] = process.argv.slice(2);
const key = createSecretKey(await buffer(process.stdin));
const fileKey = { key, fileId: '0'.repeat(24) };
const size = Number(bytes);

const startedAt = performance.now();
if (direction === 'encrypt') {
  const source = createReadStream(from, { highWaterMark: 65_536 });
  await pipeline(encryptChunks(fileKey, source), createWriteStream(to, { flush: true }));
} else {
  const range = getEncryptedChunkRange(size, { first: 0, last: size - 1 });
  const encrypted = createReadStream(from, { start: range.first, end: range.last, highWaterMark: 65_536 });
  await pipeline(decryptChunks(fileKey, size, range, encrypted), createWriteStream(to, { flush: true }));
}
console.log(String(performance.now() - startedAt));
