import { createHash } from 'node:crypto';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { containsForeignArchive, SIGNATURE_OVERLAP_BYTES } from '../files/index.ts';
import { detectContentType, hasAcceptedFileSignature } from './detect-content-type.rules.ts';
import {
  ACCEPTED_DOCUMENT_CONTENT_TYPES,
  type ContentSample,
  type DocumentContentType,
} from './document-types.rules.ts';
import { createTextEncodingDetector } from './text-encoding.rules.ts';

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
  const textEncoding = createTextEncodingDetector();
  let canBeText = true;
  let hasForeignArchive = false;
  let hasPdfHeader = false;
  let previousBytes: Buffer = Buffer.alloc(0);

  async function* readChunks() {
    for await (const chunk of content) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      inspectChunk(bytes);
      yield bytes;
    }
  }

  function inspectChunk(bytes: Buffer): void {
    hash?.update(bytes);
    size += bytes.length;
    canBeText &&= textEncoding.add(bytes);
    searchSignatures(bytes);
    keepTail(bytes);
    if (headSize < HEAD_SAMPLE_BYTES) {
      head.push(bytes.subarray(0, HEAD_SAMPLE_BYTES - headSize));
      headSize = Math.min(HEAD_SAMPLE_BYTES, headSize + bytes.length);
    }
    if (headSize === HEAD_SAMPLE_BYTES && !canBeText && canOnlyBeText())
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
    const start = Buffer.concat(head);
    return {
      head: start,
      tail: Buffer.concat(tail),
      size,
      textEncoding: canBeText ? textEncoding.getEncoding(start) : null,
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
