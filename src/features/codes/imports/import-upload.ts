import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { reserveFormMemory } from '../../../platform/http/form-memory.ts';
import type { StreamedFileRule } from '../../../platform/http/form-rules.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { createSlotsPerKey } from '../../../shared/limiter.ts';
import type { PendingFile } from '../../files/index.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { convertToUtf8 } from './convert-to-utf8.ts';
import { convertWorkbook } from './convert-workbook.ts';
import { type ColumnMapping, findCsvHeaderErrors, toCsvColumns } from './csv-columns.ts';
import type { NewImport } from './imports.schemas.ts';
import { mapColumns } from './map-columns.ts';
import { CSV_HEAD_BYTES, readCsvHeader, UnreadableFileError } from './read-rows.ts';
import { startsAsWorkbook } from './workbook.rules.ts';

export const MAX_IMPORT_BYTES = 100 * 1024 * 1024;

/** Of an account, in one process: slow ones could take the disk for an hour each. */
const UPLOAD_CONCURRENCY = 3;

const MISSING_FILE_ERROR: FieldError = { field: 'file', code: 'REQUIRED', message: 'Is required.' };

export interface ImportUpload {
  file: PendingFile;
  head: Buffer;
  /** SHA-256 of the file. */
  digest: string;
  /** Whether the file is the first sheet of one. */
  isWorkbook: boolean;
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
      const { id: accountId } = requireAccount(request);
      const { language } = requireAuthenticatedUser(request);
      await authorize(request);
      const hash = createHash('sha256');
      const head: Buffer[] = [];
      let headBytes = 0;
      let isWorkbook = false;
      async function* inspected() {
        const { head: start, whole } = await readStart(content);
        isWorkbook = startsAsWorkbook(start);
        const text = isWorkbook ? readSheet(request, whole) : convertToUtf8(whole, language);
        for await (const chunk of text) {
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
        const upload = { file, head: Buffer.concat(head), digest: hash.digest('base64'), isWorkbook };
        uploadsByRequest.set(request, upload);
      } finally {
        endUpload();
      }
    },
  };
}

/** Get the file that a form of a page uploaded; null if it is missing or empty. */
export function findImportUpload(request: FastifyRequest): ImportUpload | null {
  const upload = uploadsByRequest.get(request);
  return upload && upload.file.size > 0 ? upload : null;
}

/** The first bytes decide what a file is; `whole` repeats them. */
async function readStart(
  content: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const iterator = content[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < 4) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* whole() {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, whole: whole() };
}

async function* readSheet(
  request: FastifyRequest,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { id } = requireAccount(request);
  const csv = await convertWorkbook(id, content, (bytes) => reserveFormMemory(request.raw, bytes));
  for (let at = 0; at < csv.length; at += CHUNK_BYTES) yield csv.subarray(at, at + CHUNK_BYTES);
}

const CHUNK_BYTES = 64 * 1024;

/**
 * Get the file of a request and what its columns are.
 * @throws VALIDATION_FAILED if it is missing or empty, or its header or the mapping has errors
 */
export async function requireImportUpload(
  request: FastifyRequest,
  { format, mapping: input }: Static<typeof NewImport>,
): Promise<ImportUpload & { mapping: ColumnMapping | null }> {
  const upload = uploadsByRequest.get(request);
  if (!upload) throw createValidationError(MISSING_FILE_ERROR);
  if (upload.file.size === 0)
    throw createValidationError({ field: 'file', code: 'TOO_SHORT', message: 'Must not be empty.' });
  if (upload.isWorkbook !== (format === 'xlsx'))
    throw new ServiceError('FILE_TYPE_UNSUPPORTED', {
      detail: upload.isWorkbook ? 'The file is a workbook: its format is xlsx.' : 'The file is no workbook.',
    });
  if (format === 'jsonl') {
    if (input) throw createValidationError(MAPPING_NOT_ALLOWED_ERROR);
    return { ...upload, mapping: null };
  }
  const header = await readUploadHeader(upload.head);
  const { mapping, errors } = input ? mapColumns(input, header) : { mapping: null, errors: [] };
  if (errors.length > 0) throw createValidationError(...errors);
  const headerErrors = findCsvHeaderErrors(toCsvColumns(header, mapping), mapping);
  if (headerErrors.length > 0) throw createValidationError(...headerErrors);
  return { ...upload, mapping };
}

const MAPPING_NOT_ALLOWED_ERROR: FieldError = {
  field: 'mapping',
  code: 'NOT_ALLOWED',
  message: 'Is only of csv and xlsx.',
};

/** Read the texts of the header of CSV, of which `head` is the beginning. @throws VALIDATION_FAILED */
export async function readUploadHeader(head: Buffer): Promise<string[]> {
  try {
    return (await readCsvHeader(Readable.from([head]))).cells;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw createValidationError({ field: 'file', code: error.code, message: error.message });
  }
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
