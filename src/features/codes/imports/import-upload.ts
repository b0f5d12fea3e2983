import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { StreamedFileRule } from '../../../platform/http/form-rules.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { createSlotsPerKey } from '../../../shared/limiter.ts';
import type { PendingFile } from '../../files/index.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { findCsvFileErrors, type ImportFormat } from './read-rows.ts';

export const MAX_IMPORT_BYTES = 100 * 1024 * 1024;

/** More than the longest header. */
const HEAD_BYTES = 64 * 1024;

/** Of an account, in one process: slow ones could take the disk for an hour each. */
const UPLOAD_CONCURRENCY = 3;

const MISSING_FILE_ERROR: FieldError = { field: 'file', code: 'REQUIRED', message: 'Is required.' };

export interface ImportUpload {
  file: PendingFile;
  head: Buffer;
  /** SHA-256 of the file. */
  digest: string;
}

const uploadsByRequest = new WeakMap<FastifyRequest, ImportUpload>();

/** Encrypt and store a file as it arrives; `authorize` runs before the first byte. */
export function createImportUploadHandler(
  { files }: Pick<QrCodeServices, 'files'>,
  authorize: (request: FastifyRequest) => Promise<void>,
): StreamedFileRule {
  const startUpload = createSlotsPerKey(UPLOAD_CONCURRENCY);
  return {
    name: 'file',
    maxBytes: MAX_IMPORT_BYTES,
    async consume(request, { content }) {
      const { id: accountId } = requireAuthenticatedUser(request);
      await authorize(request);
      const hash = createHash('sha256');
      const head: Buffer[] = [];
      let headBytes = 0;
      async function* inspected() {
        for await (const chunk of assertUtf8(content)) {
          hash.update(chunk);
          if (headBytes < HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - headBytes)));
          headBytes += chunk.length;
          yield chunk;
        }
      }
      const endUpload = startUpload(accountId);
      try {
        const file = await files.store(accountId, inspected(), { maxBytes: MAX_IMPORT_BYTES });
        uploadsByRequest.set(request, { file, head: Buffer.concat(head), digest: hash.digest('base64') });
      } finally {
        endUpload();
      }
    },
  };
}

/** Refuse everything but text, such as archives and workbooks. @throws FILE_TYPE_UNSUPPORTED */
async function* assertUtf8(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const detail = 'Send CSV or JSON Lines in UTF-8.';
  const assertText = (chunk?: Uint8Array) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new ServiceError('FILE_TYPE_UNSUPPORTED', { detail, cause });
    }
    if (chunk?.includes(0)) throw new ServiceError('FILE_TYPE_UNSUPPORTED', { detail });
  };
  for await (const chunk of content) {
    assertText(chunk);
    yield chunk;
  }
  assertText();
}

/** @throws VALIDATION_FAILED if it is missing, empty, or its header has errors */
export async function requireImportUpload(
  request: FastifyRequest,
  format: ImportFormat,
): Promise<ImportUpload> {
  const upload = uploadsByRequest.get(request);
  if (!upload) throw createValidationError(MISSING_FILE_ERROR);
  if (upload.file.size === 0)
    throw createValidationError({ field: 'file', code: 'TOO_SHORT', message: 'Must not be empty.' });
  const errors = format === 'csv' ? await findCsvFileErrors(Readable.from([upload.head])) : [];
  if (errors.length > 0) throw createValidationError(...errors);
  return upload;
}

export function findMissingImportFileErrors(_body: object, request: FastifyRequest): FieldError[] {
  return uploadsByRequest.has(request) ? [] : [MISSING_FILE_ERROR];
}

/** A file that a row refers to stays. */
export async function discardImportUpload(
  { files }: Pick<QrCodeServices, 'files'>,
  request: FastifyRequest,
): Promise<void> {
  const upload = uploadsByRequest.get(request);
  if (upload) await files.discardPending(upload.file);
}
