import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { StreamedFile } from '../../platform/http/form-rules.ts';
import { invalidFields } from '../../shared/errors.ts';
import { createLane } from '../../shared/lane.ts';
import type { KeptFile } from '../files/file-keeper.ts';
import { checkWhileItComes } from './check-upload.ts';
import { maxFileBytes } from './document-limits.rules.ts';
import type { DocumentServices } from './document-services.ts';
import type { DocumentType } from './document-types.rules.ts';
import type { MalwareCheck } from './document-version.repository.ts';
import { safeFileName } from './file-name.rules.ts';
import { inspectContent } from './inspect-content.ts';

/** A file that was uploaded and that nothing names yet. */
export interface Upload {
  file: KeptFile;
  contentType: DocumentType;
  fileName: string;
  malwareCheck: MalwareCheck;
  /** SHA-256, where a repeat must be told from another request. */
  digest: string | null;
}

/** A hundred uploads that begin at once ask the database by turns, so that others come in between. */
const atDoor = createLane(2);

const uploads = new WeakMap<FastifyRequest, Upload>();

/** How the routes of documents take a file: encrypted and stored as it comes. `admit` refuses before its first byte. */
export function documentFile(
  services: DocumentServices,
  admit: (request: FastifyRequest) => Promise<void>,
): StreamedFile {
  const { database, files, config } = services;
  return {
    name: 'file',
    maxBytes: config.maxDocumentBytes,
    async take(request, given) {
      const { id: ownerId } = userOf(request);
      const withDigest = callerOf(request).idempotencyKey !== undefined;
      const { limits } = await atDoor(async () => {
        await admit(request);
        // A repeat is answered as the first time, also where there is no room by now.
        if (!withDigest) await services.checkRoom(database.client, 'storageBytes', ownerId);
        return services.planOf(database.client, ownerId);
      });
      const inspected = inspectContent(given.content, { withDigest });
      const checked = checkWhileItComes(services, inspected.pieces, {
        onInfected: (signature) => recordInfected(services, request, signature),
        onAway: (reason) => request.log.warn({ reason }, 'malware: an upload could not be checked'),
      });
      const maxBytes = maxFileBytes(limits.storageBytes, config.maxDocumentBytes);
      const file = await files.keep(ownerId, checked.pieces, { maxBytes });
      try {
        const contentType = inspected.type();
        const fileName = safeFileName(given.fileName, contentType);
        const malwareCheck = checked.result();
        uploads.set(request, { file, contentType, fileName, malwareCheck, digest: inspected.digest() });
      } catch (error) {
        await files.drop(file);
        throw error;
      }
    },
  };
}

/** Of a file that nobody keeps there is only this. */
async function recordInfected(
  { database }: DocumentServices,
  request: FastifyRequest,
  signature: string,
): Promise<void> {
  const id: unknown = Reflect.get(Object(request.params), 'id');
  await database.transaction((tx) =>
    recordAction(tx, callerOf(request), {
      action: 'UPLOAD_REFUSED_INFECTED',
      outcome: 'DENIED',
      ...(typeof id === 'string' ? { resourceId: id } : {}),
      changes: [signature],
    }),
  );
}

/** The file of a request. Throws VALIDATION_FAILED where there is none. */
export function uploadOf(request: FastifyRequest): Upload {
  const upload = uploads.get(request);
  if (!upload) throw invalidFields({ field: 'file', code: 'REQUIRED', message: 'Is required.' });
  return upload;
}

/** Gives up the file of a request that came to nothing; one that something names stays. */
export async function dropUpload({ files }: DocumentServices, request: FastifyRequest): Promise<void> {
  const upload = uploads.get(request);
  if (upload) await files.drop(upload.file);
}
