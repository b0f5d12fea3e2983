import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/** Bytes of a file that are encrypted together, and so have to be read together. */
export const CHUNK_BYTES = 65_536;

const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

/** First byte of an encrypted file; names the layout of what follows (docs/encryption.md). */
const VERSION = 1;
const HEAD_BYTES = 1;

/** A file as it is stored does not fit its key, or is not whole. */
export class DamagedFileError extends Error {
  constructor() {
    super('The file does not open.');
    this.name = 'DamagedFileError';
  }
}

/** The key of one file, and what its bytes are bound to. A key is never used for two contents. */
export interface FileKey {
  key: KeyObject;
  /** Id of the file: authenticated, so that the bytes open as this file and as no other. */
  fileId: string;
}

/** Bytes that a content of `size` bytes takes when it is encrypted. */
export function encryptedSize(size: number): number {
  return HEAD_BYTES + size + chunksOf(size) * TAG_BYTES;
}

/**
 * Encrypts a content with AES-256-GCM in chunks of 64 KiB. A chunk's nonce is its number and whether it is the last
 * (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár): chunks that are left out, moved or cut off at the
 * end do not open. Holds two chunks at most. Throws what `content` throws.
 */
export async function* encryptChunks(
  fileKey: FileKey,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  yield Buffer.of(VERSION);
  const waiting = Buffer.alloc(CHUNK_BYTES);
  let filled = 0;
  let number = 0;
  for await (const piece of content) {
    for (let taken = 0; taken < piece.length; ) {
      if (filled === CHUNK_BYTES) {
        yield* sealChunk(fileKey, number, false, waiting);
        number += 1;
        filled = 0;
      }
      const part = piece.subarray(taken, taken + CHUNK_BYTES - filled);
      waiting.set(part, filled);
      filled += part.length;
      taken += part.length;
    }
  }
  yield* sealChunk(fileKey, number, true, waiting.subarray(0, filled));
}

/** The chunks that some bytes of a content are in, and where these lie in the encrypted file. */
export interface ChunkRange {
  /** Number of the first chunk. */
  firstChunk: number;
  /** Bytes of the encrypted file, the first and the last included; the first byte of all is not among them. */
  first: number;
  last: number;
  /** Bytes to leave out at the beginning of the first chunk, and to give after that. */
  skip: number;
  take: number;
}

/** Where bytes of a content lie once it is encrypted: `first` to `last` of `size`, both included; an empty content has the one range 0 to -1. */
export function chunkRange(size: number, { first, last }: { first: number; last: number }): ChunkRange {
  const firstChunk = Math.floor(first / CHUNK_BYTES);
  const lastChunk = Math.max(firstChunk, Math.floor(last / CHUNK_BYTES));
  return {
    firstChunk,
    first: HEAD_BYTES + firstChunk * SEALED_CHUNK_BYTES,
    last: Math.min(HEAD_BYTES + (lastChunk + 1) * SEALED_CHUNK_BYTES, encryptedSize(size)) - 1,
    skip: first - firstChunk * CHUNK_BYTES,
    take: last - first + 1,
  };
}

/**
 * Opens the chunks of a range. `sealed` are exactly the bytes that `chunkRange` names. Gives nothing that is not
 * authentic; throws DamagedFileError at the first chunk that does not fit, and where bytes are missing.
 */
export async function* decryptChunks(
  fileKey: FileKey,
  size: number,
  range: ChunkRange,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const lastChunk = chunksOf(size) - 1;
  let number = range.firstChunk;
  let { skip, take } = range;
  for await (const chunk of inChunks(sealed)) {
    const plain = openChunk(fileKey, number, number === lastChunk, chunk);
    const wanted = plain.subarray(skip, skip + take);
    take -= wanted.length;
    skip = 0;
    number += 1;
    if (wanted.length > 0) yield wanted;
  }
  // Every range ends with whole chunks: what stops earlier was cut off.
  if (take > 0 || number === range.firstChunk) throw new DamagedFileError();
}

function chunksOf(size: number): number {
  return Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, 5, 6);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

function associated({ fileId }: FileKey): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(fileId, 'latin1')]);
}

/** A sealed chunk in its two parts: put together they would be copied once more. */
function sealChunk(fileKey: FileKey, number: number, isLast: boolean, plain: Uint8Array): [Buffer, Buffer] {
  const cipher = createCipheriv('aes-256-gcm', fileKey.key, nonceOf(number, isLast), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(associated(fileKey));
  const sealed = cipher.update(plain);
  // A stream cipher keeps nothing back.
  cipher.final();
  return [sealed, cipher.getAuthTag()];
}

function openChunk(fileKey: FileKey, number: number, isLast: boolean, sealed: Buffer): Buffer {
  if (sealed.length < TAG_BYTES) throw new DamagedFileError();
  const tagAt = sealed.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', fileKey.key, nonceOf(number, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associated(fileKey));
    decipher.setAuthTag(sealed.subarray(tagAt));
    return Buffer.concat([decipher.update(sealed.subarray(0, tagAt)), decipher.final()]);
  } catch {
    throw new DamagedFileError();
  }
}

/** The bytes in pieces of one sealed chunk each; the last may be shorter. */
async function* inChunks(sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const waiting = Buffer.alloc(SEALED_CHUNK_BYTES);
  let filled = 0;
  for await (const piece of sealed) {
    for (let taken = 0; taken < piece.length; ) {
      const part = piece.subarray(taken, taken + SEALED_CHUNK_BYTES - filled);
      waiting.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < SEALED_CHUNK_BYTES) continue;
      yield waiting;
      filled = 0;
    }
  }
  if (filled > 0) yield waiting.subarray(0, filled);
}
