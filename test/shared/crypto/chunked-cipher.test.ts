import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  CIPHER_CHUNK_BYTES,
  decryptChunks,
  encryptChunks,
  type FileEncryptionKey,
  FileIntegrityError,
  getEncryptedChunkRange,
  getEncryptedFileSize,
} from '../../../src/shared/crypto/chunked-cipher.ts';
import { t } from '../../tap.ts';

const fileKey: FileEncryptionKey = {
  key: createSecretKey(randomBytes(32)),
  fileId: '65b2f0c0a1b2c3d4e5f60718',
};

async function* splitBytes(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of stream) all.push(Buffer.from(part));
  return Buffer.concat(all);
}

function decrypt(
  key: FileEncryptionKey,
  encrypted: Buffer,
  size: number,
  range = { first: 0, last: size - 1 },
) {
  const wanted = getEncryptedChunkRange(size, range);
  return collect(
    decryptChunks(key, size, wanted, splitBytes(encrypted.subarray(wanted.first, wanted.last + 1), 10_000)),
  );
}

/** Sizes around chunk limits. */
const SIZES = [
  0,
  1,
  15,
  16,
  CIPHER_CHUNK_BYTES - 1,
  CIPHER_CHUNK_BYTES,
  CIPHER_CHUNK_BYTES + 1,
  2 * CIPHER_CHUNK_BYTES,
  200_001,
];

t.test('decrypts content of any size and chunking', async (t) => {
  for (const size of SIZES) {
    for (const partSize of [7_001, CIPHER_CHUNK_BYTES, 1_000_000]) {
      const content = randomBytes(size);
      const encrypted = await collect(encryptChunks(fileKey, splitBytes(content, partSize)));
      t.equal(encrypted.length, getEncryptedFileSize(size), `${size} bytes have the predicted size`);
      t.ok(
        (await decrypt(fileKey, encrypted, size)).equals(content),
        `${size} bytes in chunks of ${partSize}`,
      );
    }
  }
});

t.test('decrypts any range of the content', async (t) => {
  const content = randomBytes(3 * CIPHER_CHUNK_BYTES + 5);
  const encrypted = await collect(encryptChunks(fileKey, splitBytes(content, 50_000)));
  const place = fc.integer({ min: 0, max: content.length - 1 });
  await fc.assert(
    fc.asyncProperty(place, place, async (a, b) => {
      const range = { first: Math.min(a, b), last: Math.max(a, b) };
      const part = await decrypt(fileKey, encrypted, content.length, range);
      return part.equals(content.subarray(range.first, range.last + 1));
    }),
    {
      numRuns: 60,
      examples: [
        [CIPHER_CHUNK_BYTES - 1, CIPHER_CHUNK_BYTES],
        [CIPHER_CHUNK_BYTES, 2 * CIPHER_CHUNK_BYTES - 1],
      ],
    },
  );
  t.pass('60 ranges');
});

t.test('rejects altered, truncated, moved or foreign chunks', async (t) => {
  const size = 2 * CIPHER_CHUNK_BYTES + 100;
  const content = randomBytes(size);
  const encrypted = await collect(encryptChunks(fileKey, splitBytes(content, 50_000)));
  const chunk = CIPHER_CHUNK_BYTES + 16;
  const refused = async (bytes: Buffer, what: string, claimed = size, key = fileKey) =>
    t.rejects(decrypt(key, bytes, claimed), FileIntegrityError, what);

  for (const at of [1, chunk, chunk + 1, encrypted.length - 1]) {
    const bytes = Buffer.from(encrypted);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await refused(bytes, `byte ${at}`);
  }
  await refused(encrypted.subarray(0, 1 + 2 * chunk), 'without its last chunk');
  await refused(
    encrypted.subarray(0, 1 + 2 * chunk),
    'the same, where the row agrees',
    2 * CIPHER_CHUNK_BYTES,
  );
  await refused(encrypted.subarray(0, encrypted.length - 1), 'without its last byte');
  await refused(Buffer.alloc(0), 'empty');
  const swapped = Buffer.concat([
    encrypted.subarray(0, 1),
    encrypted.subarray(1 + chunk, 1 + 2 * chunk),
    encrypted.subarray(1, 1 + chunk),
    encrypted.subarray(1 + 2 * chunk),
  ]);
  await refused(swapped, 'chunks in another order');
  await refused(encrypted, 'another file', size, { ...fileKey, fileId: '65b2f0c0a1b2c3d4e5f60719' });
  await refused(encrypted, 'another key', size, { ...fileKey, key: createSecretKey(randomBytes(32)) });
});
