import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { containsForeignArchive, SIGNATURE_OVERLAP_BYTES } from '../files/index.ts';
import { detectContentType, hasAcceptedFileSignature } from './detect-content-type.rules.ts';
import {
  ACCEPTED_DOCUMENT_CONTENT_TYPES,
  type ContentSample,
  type DocumentContentType,
} from './document-types.rules.ts';

const HEAD_SAMPLE_BYTES = 64 * 1024;
/** A ZIP archive can end with a comment of 64 KiB. */
const TAIL_SAMPLE_BYTES = 96 * 1024;
/** Must contain the directory at the end of the archive. */
const ARCHIVE_TAIL_SAMPLE_BYTES = 512 * 1024;

export interface InspectedContent {
  /** Fails with FILE_TYPE_UNSUPPORTED as soon as no accepted type is possible. */
  chunks: AsyncGenerator<Buffer>;
  /** Call it after the last chunk. @throws FILE_TYPE_UNSUPPORTED, VALIDATION_FAILED for an empty file */
  requireType(): DocumentContentType;
  /** SHA-256 after the last chunk; null unless `withDigest`. */
  getDigest(): string | null;
}

export function inspectContentStream(
  content: AsyncIterable<Uint8Array>,
  { withDigest }: { withDigest: boolean },
): InspectedContent {
  const hash = withDigest ? createHash('sha256') : null;
  const head: Buffer[] = [];
  let headSize = 0;
  const tail: Buffer[] = [];
  let tailSize = 0;
  let size = 0;
  let isText = true;
  let hasForeignArchive = false;
  let hasPdfHeader = false;
  let previousBytes: Buffer = Buffer.alloc(0);
  let incompleteBytesBuffer: Buffer = Buffer.alloc(0);

  async function* readChunks() {
    for await (const chunk of content) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      inspectChunk(bytes);
      yield bytes;
    }
    isText &&= incompleteBytesBuffer.length === 0;
  }

  function inspectChunk(bytes: Buffer): void {
    hash?.update(bytes);
    size += bytes.length;
    if (isText) inspectText(bytes);
    searchSignatures(bytes);
    keepTail(bytes);
    if (headSize < HEAD_SAMPLE_BYTES) {
      head.push(bytes.subarray(0, HEAD_SAMPLE_BYTES - headSize));
      headSize = Math.min(HEAD_SAMPLE_BYTES, headSize + bytes.length);
    }
    if (headSize === HEAD_SAMPLE_BYTES && !isText && canOnlyBeText())
      throw createUnsupportedTypeError(detectContentType(createSample()));
  }

  function searchSignatures(bytes: Buffer): void {
    // Twice, so that a signature between two chunks is found without copying them.
    for (const part of [Buffer.concat([previousBytes, bytes.subarray(0, SIGNATURE_OVERLAP_BYTES)]), bytes]) {
      hasForeignArchive ||= containsForeignArchive(part);
      hasPdfHeader ||= part.includes('%PDF-');
    }
    previousBytes = Buffer.from(
      Buffer.concat([previousBytes, bytes.subarray(-SIGNATURE_OVERLAP_BYTES)]).subarray(
        -SIGNATURE_OVERLAP_BYTES,
      ),
    );
  }

  // Content that starts as no known binary type can only be text.
  let isTextOnly: boolean | undefined;
  function canOnlyBeText(): boolean {
    isTextOnly ??= !hasAcceptedFileSignature(Buffer.concat(head));
    return isTextOnly;
  }

  function inspectText(bytes: Buffer): void {
    const all = incompleteBytesBuffer.length === 0 ? bytes : Buffer.concat([incompleteBytesBuffer, bytes]);
    const whole = all.length - countIncompleteUtf8Bytes(all);
    incompleteBytesBuffer = Buffer.from(all.subarray(whole));
    const text = all.subarray(0, whole);
    isText = isUtf8(text) && !hasControlBytes(text);
  }

  function keepTail(bytes: Buffer): void {
    tail.push(bytes);
    tailSize += bytes.length;
    const maxBytes = isArchive() ? ARCHIVE_TAIL_SAMPLE_BYTES : TAIL_SAMPLE_BYTES;
    for (let first = tail[0]; first && tailSize - first.length >= maxBytes; first = tail[0]) {
      tail.shift();
      tailSize -= first.length;
    }
  }

  function isArchive(): boolean {
    return head[0]?.[0] === 0x50 || headSize === 0;
  }

  function createSample(): ContentSample {
    return {
      head: Buffer.concat(head),
      tail: Buffer.concat(tail),
      size,
      isText,
      hasForeignArchive,
      hasPdfHeader,
    };
  }

  return {
    chunks: readChunks(),
    requireType() {
      if (size === 0)
        throw createValidationError({ field: 'file', code: 'TOO_SHORT', message: 'Must not be empty.' });
      const result = detectContentType(createSample());
      if ('rejectionReason' in result) throw createUnsupportedTypeError(result);
      return result.type;
    },
    getDigest: () => hash?.digest('hex') ?? null,
  };
}

function createUnsupportedTypeError(result: ReturnType<typeof detectContentType>): ServiceError {
  const detail = 'rejectionReason' in result ? result.rejectionReason : 'The file type is not supported.';
  return new ServiceError('FILE_TYPE_UNSUPPORTED', {
    detail,
    members: { accepted: ACCEPTED_DOCUMENT_CONTENT_TYPES },
  });
}

/** Count the bytes at the end that start a UTF-8 character and do not complete it. */
function countIncompleteUtf8Bytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return back < getUtf8SequenceLength(byte) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function getUtf8SequenceLength(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

const ALLOWED_CONTROL_BYTES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);

function hasControlBytes(bytes: Buffer): boolean {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - (bytes.length % 4);
  for (let at = 0; at < end; at += 4) {
    // Four bytes per step, for large text files: is one of them below 0x20, or 0x7f?
    const word = words.getUint32(at);
    const other = word ^ 0x7f7f7f7f;
    const found = ((word - 0x20202020) & ~word) | ((other - 0x01010101) & ~other);
    if ((found & 0x80808080) !== 0 && hasControlByteInRange(bytes, at, at + 4)) return true;
  }
  return hasControlByteInRange(bytes, end, bytes.length);
}

function hasControlByteInRange(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 ? !ALLOWED_CONTROL_BYTES.has(byte) : byte === 0x7f) return true;
  }
  return false;
}
