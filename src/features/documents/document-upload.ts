import type { FastifyRequest } from 'fastify';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireAccount } from '../../platform/authentication.ts';
import type { StreamedFileRule } from '../../platform/http/form-rules.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { createValidationError, type FieldError } from '../../shared/errors.ts';
import { createConcurrencyLimiter } from '../../shared/limiter.ts';
import type { PendingFile } from '../files/index.ts';
import { computeMaxDocumentFileBytes } from './document-limits.rules.ts';
import type { DocumentServices } from './document-services.ts';
import type { DocumentContentType } from './document-types.rules.ts';
import type { MalwareCheckStatus } from './document-version.repository.ts';
import { sanitizeFileName } from './file-name.rules.ts';
import { inspectContentStream } from './inspect-content.ts';
import { scanContentForMalware } from './scan-content-stream.ts';

export interface DocumentUpload {
  file: PendingFile;
  contentType: DocumentContentType;
  fileName: string;
  malwareCheck: MalwareCheckStatus;
  /** SHA-256; only for requests that can be repeated. */
  digest: string | null;
}

/** Bounds the database calls of many uploads that start at the same time. */
const uploadLimiter = createConcurrencyLimiter(2);

const MISSING_FILE_ERROR: FieldError = { field: 'file', code: 'REQUIRED', message: 'Is required.' };

const uploadsByRequest = new WeakMap<FastifyRequest, DocumentUpload>();

/**
 * Encrypt and store a file as it arrives; `authorize` runs before the first byte. `alwaysHashes`: the key of a repeat is a
 * field of the form, and comes later.
 */
export function createDocumentUploadHandler(
  services: DocumentServices,
  authorize: (request: FastifyRequest) => Promise<void>,
  { alwaysHashes = false } = {},
): StreamedFileRule {
  const { database, files, config } = services;
  return {
    name: 'file',
    maxBytes: config.maxDocumentBytes,
    async consume(request, part) {
      const { id: accountId } = requireAccount(request);
      const isRepeatable = getRequestContext(request).idempotencyKey !== undefined;
      const { limits } = await uploadLimiter(async () => {
        await authorize(request);
        // A repeat gets the stored response, even if the quota is used up by now.
        if (!isRepeatable) await services.checkQuota(database.client, 'storageBytes', accountId);
        return services.getPlan(database.client, accountId);
      });
      const inspected = inspectContentStream(part.content, {
        withDigest: isRepeatable || alwaysHashes,
      });
      const checked = scanContentForMalware(services, inspected.chunks, {
        onInfected: (signature) => recordInfectedUpload(services, request, signature),
        onUnavailable: (reason) => request.log.warn({ reason }, 'malware: upload not scanned'),
        disconnect: part.disconnect,
      });
      const maxBytes = computeMaxDocumentFileBytes(limits.storageBytes, config.maxDocumentBytes);
      const file = await files.store(accountId, checked.chunks, { maxBytes });
      try {
        const contentType = inspected.requireType();
        const fileName = sanitizeFileName(part.fileName, contentType);
        const malwareCheck = checked.getResult();
        uploadsByRequest.set(request, {
          file,
          contentType,
          fileName,
          malwareCheck,
          digest: inspected.getDigest(),
        });
      } catch (error) {
        await files.discardPending(file);
        throw error;
      }
    },
  };
}

// The file is not stored: this entry is the only trace.
async function recordInfectedUpload(
  { database }: DocumentServices,
  request: FastifyRequest,
  signature: string,
): Promise<void> {
  const id: unknown = Reflect.get(Object(request.params), 'id');
  await database.transaction((tx) =>
    recordAuditEntry(tx, getRequestContext(request), {
      action: 'INFECTED_UPLOAD_REJECTED',
      outcome: 'DENIED',
      ...(typeof id === 'string' ? { resourceId: id } : {}),
      changes: [signature],
    }),
  );
}

/** @throws VALIDATION_FAILED */
export function requireDocumentUpload(request: FastifyRequest): DocumentUpload {
  const upload = uploadsByRequest.get(request);
  if (!upload) throw createValidationError(MISSING_FILE_ERROR);
  return upload;
}

export function findMissingFileErrors(_body: object, request: FastifyRequest): FieldError[] {
  return uploadsByRequest.has(request) ? [] : [MISSING_FILE_ERROR];
}

/** A file that a row refers to stays. */
export async function discardDocumentUpload(
  { files }: DocumentServices,
  request: FastifyRequest,
): Promise<void> {
  const upload = uploadsByRequest.get(request);
  if (upload) await files.discardPending(upload.file);
}
