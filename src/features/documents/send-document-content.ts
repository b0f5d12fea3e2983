import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordRequestFailure } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import {
  evaluateConditionalRequest,
  type FileResponse,
} from '../../platform/http/conditional-request.rules.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { EncryptedFileStore } from '../files/index.ts';
import { createContentAccessWindow } from './content-access-window.ts';
import { formatContentDisposition } from './content-disposition.rules.ts';
import { ACCEPTED_DOCUMENT_TYPES, isInlineType } from './document-types.rules.ts';
import type { DocumentVersionRow } from './document-version.repository.ts';

/** What is sent of a document, and to whom. */
export interface ContentResponseInput {
  version: Omit<DocumentVersionRow, 'fileName'>;
  /** The name in clear. */
  fileName: string;
  /** Shown in the browser where its type allows that; else to be saved. */
  inline: boolean;
  /** Null where the reading was recorded before (a ticket of an opened share). */
  access: {
    /** Who reads, such as a session: ranges of one reader within five minutes are one reading. */
    reader: string;
    /** Records the reading; what it throws is the answer. */
    record(): Promise<void>;
  } | null;
}

/** What a browser may do with a content that it shows: draw it, without scripts, forms and frames. */
const INLINE_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const ATTACHMENT_CSP = "default-src 'none'; sandbox; frame-ancestors 'none'";

const FILE_RESPONSE = {
  content: Object.fromEntries(
    [...ACCEPTED_DOCUMENT_TYPES].map((type) => [
      type.split(';')[0],
      { schema: { type: 'string', format: 'binary' } },
    ]),
  ),
};

/** What `sendContent` answers, for the document of the interface; beside the problems 409, 412 and 416. */
export const CONTENT_RESPONSES = {
  200: { description: 'The content.', ...FILE_RESPONSE },
  206: { description: 'The range of it that was asked for.', ...FILE_RESPONSE },
  304: { description: 'It has not changed.', type: 'null' },
};

const accessWindow = createContentAccessWindow();

/**
 * Answers a GET or HEAD with the content of a document or one range of it, decrypted as it is read. A reading is recorded
 * before its first byte; HEAD, 304, 412 and 416 show nothing and are none. Throws NOT_FOUND where the file is gone,
 * FILE_CHECK_PENDING, DATA_INTEGRITY.
 */
export async function sendDocumentContent(
  { database, files }: { database: Database; files: EncryptedFileStore },
  request: FastifyRequest,
  reply: FastifyReply,
  { version, fileName, inline, access }: ContentResponseInput,
): Promise<FastifyReply> {
  if (version.malwareCheck === 'WAITING')
    throw new ServiceError('FILE_CHECK_PENDING', { retryAfterSeconds: 30 });
  const { size } = version;
  const etag = `"${version.id}"`;
  const answer = evaluateConditionalRequest(request.headers, request.method, {
    etag,
    modifiedAt: version.createdAt,
    size,
  });
  assertSatisfiable(reply, answer, size);
  const range = answer.status === 206 ? answer.range : null;
  const isShown = inline && isInlineType(version.contentType);
  const cacheHeaders = {
    etag,
    'last-modified': version.createdAt.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
  };
  const isHead = request.method === 'HEAD';
  if (answer.status === 304)
    return reply
      .code(304)
      .headers(cacheHeaders)
      .send(isHead ? Readable.from([]) : undefined);
  // Fastify takes the length of an answer to HEAD from what is sent, but for a stream.
  const content = isHead ? Readable.from([]) : await openAndRecord();
  return reply
    .code(answer.status)
    .headers({
      ...cacheHeaders,
      'content-type': version.contentType,
      'content-length': range ? range.last - range.first + 1 : size,
      'content-disposition': formatContentDisposition(isShown ? 'inline' : 'attachment', fileName),
      'content-security-policy': isShown ? INLINE_CSP : ATTACHMENT_CSP,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${size}` } : {}),
    })
    .send(content);

  async function openAndRecord(): Promise<Readable> {
    const opened = await files.open(database.client, version.fileId, range ?? undefined);
    if (!opened) throw new ServiceError('NOT_FOUND');
    // What does not open in the middle breaks the answer off, which no hook hears of.
    opened.once('error', (error) => void recordRequestFailure(database, request, error));
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

function assertSatisfiable(reply: FastifyReply, { status }: FileResponse, size: number): void {
  if (status === 412) throw new ServiceError('PRECONDITION_FAILED');
  if (status !== 416) return;
  reply.header('content-range', `bytes */${size}`);
  throw new ServiceError('RANGE_NOT_SATISFIABLE');
}
