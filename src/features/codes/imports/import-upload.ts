import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { StreamedFileRule } from '../../../platform/http/form-rules.ts';
import { createValidationError, type FieldError } from '../../../shared/errors.ts';
import { createSlotsPerKey } from '../../../shared/limiter.ts';
import type { PendingFile } from '../../files/index.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { convertToUtf8 } from './convert-to-utf8.ts';
import { CSV_HEAD_BYTES, findCsvFileErrors, type ImportFormat } from './read-rows.ts';

export const MAX_IMPORT_BYTES = 100 * 1024 * 1024;

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
      const { id: accountId, language } = requireAuthenticatedUser(request);
      await authorize(request);
      const hash = createHash('sha256');
      const head: Buffer[] = [];
      let headBytes = 0;
      async function* inspected() {
        for await (const chunk of convertToUtf8(content, language)) {
          hash.update(chunk);
          if (headBytes < CSV_HEAD_BYTES)
            head.push(Buffer.from(chunk.subarray(0, CSV_HEAD_BYTES - headBytes)));
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
