import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/** Bytes encrypted together, which must be read together. */
export const CIPHER_CHUNK_BYTES = 65_536;

const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const ENCRYPTED_CHUNK_BYTES = CIPHER_CHUNK_BYTES + TAG_BYTES;

/** First byte of an encrypted file: the layout (docs/security/encryption.md). */
const FORMAT_VERSION = 1;
const HEADER_BYTES = 1;

export class FileIntegrityError extends Error {
  constructor() {
    super('The file cannot be decrypted.');
    this.name = 'FileIntegrityError';
  }
}

/** Key of one file and what its bytes are bound to. Never use a key for two contents. */
export interface FileEncryptionKey {
  key: KeyObject;
  /** Authenticated: the bytes decrypt only as this file. */
  fileId: string;
}

export function getEncryptedFileSize(size: number): number {
  return HEADER_BYTES + size + countChunks(size) * TAG_BYTES;
}

/**
 * Encrypt with AES-256-GCM; the nonce is the chunk number and whether it is the last (STREAM construction of
 * Hoang, Reyhanitabar, Rogaway and Vizár): missing, moved or truncated chunks fail.
 */
export async function* encryptChunks(
  fileKey: FileEncryptionKey,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  yield Buffer.of(FORMAT_VERSION);
  const buffer = Buffer.alloc(CIPHER_CHUNK_BYTES);
  let filled = 0;
  let number = 0;
  for await (const bytes of content) {
    for (let consumed = 0; consumed < bytes.length; ) {
      if (filled === CIPHER_CHUNK_BYTES) {
        yield* encryptChunk(fileKey, number, false, buffer);
        number += 1;
        filled = 0;
      }
      const part = bytes.subarray(consumed, consumed + CIPHER_CHUNK_BYTES - filled);
      buffer.set(part, filled);
      filled += part.length;
      consumed += part.length;
    }
  }
  yield* encryptChunk(fileKey, number, true, buffer.subarray(0, filled));
}

export interface EncryptedChunkRange {
  firstChunk: number;
  /** Bytes of the encrypted file, inclusive; never its version byte. */
  first: number;
  last: number;
  /** Bytes to skip in the first chunk, and to return after them. */
  skip: number;
  take: number;
}

/** Get the chunks of the bytes `first` to `last` (inclusive) of a content; for an empty content 0 to -1. */
export function getEncryptedChunkRange(
  size: number,
  { first, last }: { first: number; last: number },
): EncryptedChunkRange {
  const firstChunk = Math.floor(first / CIPHER_CHUNK_BYTES);
  const lastChunk = Math.max(firstChunk, Math.floor(last / CIPHER_CHUNK_BYTES));
  return {
    firstChunk,
    first: HEADER_BYTES + firstChunk * ENCRYPTED_CHUNK_BYTES,
    last: Math.min(HEADER_BYTES + (lastChunk + 1) * ENCRYPTED_CHUNK_BYTES, getEncryptedFileSize(size)) - 1,
    skip: first - firstChunk * CIPHER_CHUNK_BYTES,
    take: last - first + 1,
  };
}

/** Decrypt exactly the bytes of `getEncryptedChunkRange`. @throws FileIntegrityError for an invalid chunk or missing bytes */
export async function* decryptChunks(
  fileKey: FileEncryptionKey,
  size: number,
  range: EncryptedChunkRange,
  encrypted: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const lastChunk = countChunks(size) - 1;
  let number = range.firstChunk;
  let { skip, take } = range;
  for await (const chunk of splitIntoChunks(encrypted)) {
    const plaintext = decryptChunk(fileKey, number, number === lastChunk, chunk);
    const output = plaintext.subarray(skip, skip + take);
    take -= output.length;
    skip = 0;
    number += 1;
    if (output.length > 0) yield output;
  }
  // Every range ends with whole chunks: an early end means truncation.
  if (take > 0 || number === range.firstChunk) throw new FileIntegrityError();
}

function countChunks(size: number): number {
  return Math.max(1, Math.ceil(size / CIPHER_CHUNK_BYTES));
}

function createNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, 5, 6);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

function createFileAssociatedData({ fileId }: FileEncryptionKey): Buffer {
  return Buffer.concat([Buffer.of(FORMAT_VERSION), Buffer.from(fileId, 'latin1')]);
}

/** Return both parts of an encrypted chunk: joining them would be another copy. */
function encryptChunk(
  fileKey: FileEncryptionKey,
  number: number,
  isLast: boolean,
  plaintext: Uint8Array,
): [Buffer, Buffer] {
  const cipher = createCipheriv('aes-256-gcm', fileKey.key, createNonce(number, isLast), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(createFileAssociatedData(fileKey));
  const encrypted = cipher.update(plaintext);
  // A stream cipher has no remaining bytes.
  cipher.final();
  return [encrypted, cipher.getAuthTag()];
}

function decryptChunk(
  fileKey: FileEncryptionKey,
  number: number,
  isLast: boolean,
  encrypted: Buffer,
): Buffer {
  if (encrypted.length < TAG_BYTES) throw new FileIntegrityError();
  const tagAt = encrypted.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', fileKey.key, createNonce(number, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(createFileAssociatedData(fileKey));
    decipher.setAuthTag(encrypted.subarray(tagAt));
    return Buffer.concat([decipher.update(encrypted.subarray(0, tagAt)), decipher.final()]);
  } catch {
    throw new FileIntegrityError();
  }
}

async function* splitIntoChunks(encrypted: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(ENCRYPTED_CHUNK_BYTES);
  let filled = 0;
  for await (const bytes of encrypted) {
    for (let consumed = 0; consumed < bytes.length; ) {
      const part = bytes.subarray(consumed, consumed + ENCRYPTED_CHUNK_BYTES - filled);
      buffer.set(part, filled);
      filled += part.length;
      consumed += part.length;
      if (filled < ENCRYPTED_CHUNK_BYTES) continue;
      yield buffer;
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}
