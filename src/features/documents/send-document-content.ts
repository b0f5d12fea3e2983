import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { recordFailedRequestAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import {
  type ConditionalRequestResult,
  evaluateConditionalRequest,
} from '../../platform/http/conditional-request.rules.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../platform/openapi-headers.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { EncryptedFileStore } from '../files/index.ts';
import { formatContentDisposition } from './content-disposition.rules.ts';
import {
  ACCEPTED_DOCUMENT_CONTENT_TYPES,
  getTextEncoding,
  isInlineContentType,
  TEXT_CONTENT_TYPES,
} from './document-types.rules.ts';
import type { DocumentVersionRow } from './document-version.repository.ts';
import { convertToUtf8, type TextEncoding } from './text-encoding.rules.ts';

export interface DocumentContentResponseInput {
  version: Omit<DocumentVersionRow, 'fileName'>;
  fileName: string;
  /** Only if the type allows it. */
  inline: boolean;
  /** Null where the access is already recorded (download tickets). */
  access: {
    reader: string;
    /** An error thrown here is the response. */
    record(): Promise<void>;
  } | null;
}

/** Inline content may be displayed, but may not run scripts, send forms or open frames. */
const INLINE_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const ATTACHMENT_CSP = "default-src 'none'; sandbox; frame-ancestors 'none'";

const FILE_RESPONSE = {
  headers: CONTENT_DISPOSITION_HEADER,
  content: Object.fromEntries(
    ACCEPTED_DOCUMENT_CONTENT_TYPES.map((type) => [
      type.split(';')[0],
      { schema: { type: 'string', format: 'binary' } },
    ]),
  ),
};

export const DOCUMENT_CONTENT_RESPONSE_SCHEMAS = {
  200: { description: 'The content.', ...FILE_RESPONSE },
  206: { description: 'The requested range.', ...FILE_RESPONSE },
  304: { description: 'Not modified.', type: 'null' },
};

/** Range requests of one reader for one version within this time are one access. */
const ACCESS_WINDOW_MS = 5 * 60_000;
const MAX_TRACKED_ACCESSES = 10_000;

interface ContentAccessTracker {
  /** A request without a range always begins an access. */
  beginAccess(key: string, isRange: boolean): boolean;
  cancelAccess(key: string): void;
}

/** Per instance: a reader whose ranges reach several instances starts one access at each. */
function createContentAccessTracker(): ContentAccessTracker {
  const activeAccesses = new LRUCache<string, true>({
    // As a size: `max` would reserve the memory at once.
    maxSize: MAX_TRACKED_ACCESSES,
    sizeCalculation: () => 1,
    ttl: ACCESS_WINDOW_MS,
  });
  return {
    beginAccess(key, isRange) {
      if (isRange && activeAccesses.has(key)) return false;
      activeAccesses.set(key, true);
      return true;
    },
    cancelAccess: (key) => void activeAccesses.delete(key),
  };
}

const accessWindow = createContentAccessTracker();

/**
 * Record the access before the first byte; HEAD, 304, 412 and 416 are none.
 * @throws NOT_FOUND, FILE_CHECK_PENDING, DATA_INTEGRITY
 */
export async function sendDocumentContent(
  { database, files }: { database: Database; files: EncryptedFileStore },
  request: FastifyRequest,
  reply: FastifyReply,
  { version, fileName, inline, access }: DocumentContentResponseInput,
): Promise<FastifyReply> {
  if (version.malwareCheck === 'WAITING')
    throw new ServiceError('FILE_CHECK_PENDING', { retryAfterSeconds: 30 });
  const { size } = version;
  const isInline = inline && isInlineContentType(version.contentType);
  const encoding = isInline ? getTextEncoding(version.contentType) : null;
  // Displayed as UTF-8: of another size, which nobody knows beforehand. Downloads are the original.
  const isConverted = encoding !== null && encoding !== 'utf-8';
  const etag = isConverted ? `"${version.id}-utf-8"` : `"${version.id}"`;
  const condition = evaluateConditionalRequest(
    isConverted ? { ...request.headers, range: undefined } : request.headers,
    request.method,
    { etag, modifiedAt: version.createdAt, size },
  );
  assertSatisfiable(reply, condition, size);
  const range = condition.status === 206 ? condition.range : null;
  const cacheHeaders = {
    etag,
    'last-modified': version.createdAt.toUTCString(),
    'accept-ranges': isConverted ? 'none' : 'bytes',
    'cache-control': 'no-store',
  };
  const isHead = request.method === 'HEAD';
  if (condition.status === 304)
    return reply
      .code(304)
      .headers(cacheHeaders)
      .send(isHead ? Readable.from([]) : undefined);
  // Fastify computes the length of a HEAD response from the payload, except for a stream.
  const content = isHead ? Readable.from([]) : await openAndRecord();
  return reply
    .code(condition.status)
    .headers({
      ...cacheHeaders,
      'content-type': isConverted ? TEXT_CONTENT_TYPES['utf-8'] : version.contentType,
      ...(isConverted ? {} : { 'content-length': range ? range.last - range.first + 1 : size }),
      'content-disposition': formatContentDisposition(isInline ? 'inline' : 'attachment', fileName),
      'content-security-policy': isInline ? INLINE_CSP : ATTACHMENT_CSP,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${size}` } : {}),
    })
    .send(isConverted && !isHead ? convertStream(content, encoding) : content);

  async function openAndRecord(): Promise<Readable> {
    const { accountId, fileId } = version;
    const opened = await files.open(database.client, accountId, fileId, range ?? undefined);
    if (!opened) throw new ServiceError('NOT_FOUND');
    // An integrity failure after the first byte aborts the response, and no hook is called.
    opened.once('error', (error) => void recordFailedRequestAuditEntry(database, request, error));
    const accessKey = `${access?.reader} ${version.id}`;
    if (!access || !accessWindow.beginAccess(accessKey, range !== null)) return opened;
    try {
      await access.record();
    } catch (error) {
      accessWindow.cancelAccess(accessKey);
      opened.destroy();
      throw error;
    }
    return opened;
  }
}

/** An error of the source ends the result; so does the end of a client that is gone. */
function convertStream(content: Readable, encoding: TextEncoding): Readable {
  const converted = Readable.from(convertToUtf8(content, encoding), { objectMode: false });
  converted.once('close', () => content.destroy());
  return converted;
}

function assertSatisfiable(reply: FastifyReply, { status }: ConditionalRequestResult, size: number): void {
  if (status === 412) throw new ServiceError('PRECONDITION_FAILED');
  if (status !== 416) return;
  reply.header('content-range', `bytes */${size}`);
  throw new ServiceError('RANGE_NOT_SATISFIABLE');
}
