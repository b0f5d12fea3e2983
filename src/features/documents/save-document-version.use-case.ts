import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { mergeMetadata } from '../../shared/metadata.schemas.ts';
import { assertDocumentExternalIdFree, insertDocument, updateDocument } from './document.repository.ts';
import { toDocumentVersionView, toDocumentView } from './document.view.ts';
import { MAX_DOCUMENT_VERSIONS } from './document-limits.rules.ts';
import type { DocumentServices } from './document-services.ts';
import type { DocumentUpload } from './document-upload.ts';
import {
  countDocumentVersions,
  type DocumentVersionRow,
  findNewestDocumentVersion,
  insertDocumentVersion,
} from './document-version.repository.ts';
import type { DocumentSchema, DocumentVersionSchema, NewDocumentRequest } from './documents.schemas.ts';
import { DOCUMENT_FILE_NAME, DOCUMENT_NOTE } from './encrypted-document-fields.ts';
import {
  type OwnedDocumentKey,
  recordHealthDocumentViewed,
  requireAndLockOwnDocument,
} from './read-document.ts';

/** @throws PLAN_LIMIT_REACHED, EXTERNAL_ID_TAKEN, VALIDATION_FAILED */
export async function createDocument(
  services: DocumentServices,
  context: RequestContext,
  accountId: string,
  upload: DocumentUpload,
  input: Static<typeof NewDocumentRequest>,
): Promise<IdempotentResult<Static<typeof DocumentSchema>>> {
  const { database, fieldCipher, createIdempotently, reserveQuota } = services;
  const result = await createIdempotently(
    context,
    { who: accountId, fingerprint: { ...input, ...getUploadFingerprint(upload) } },
    async (tx) => {
      await reserveQuota(tx, 'documents', accountId);
      const id = generateId();
      const { externalId = null } = input;
      await assertDocumentExternalIdFree(tx, { id, accountId, externalId });
      const row = await insertDocument(tx, {
        id,
        accountId,
        externalId,
        metadata: mergeMetadata({}, input.metadata ?? {}),
        title: (input.title ?? upload.fileName).normalize('NFC'),
        kind: input.kind ?? 'OTHER',
        note: DOCUMENT_NOTE.encrypt(fieldCipher, { id, accountId }, input.note?.normalize('NFC') ?? null),
        expiresOn: input.expiresOn === undefined ? null : new Date(input.expiresOn),
      });
      const current = await saveDocumentVersion(services, tx, { id, accountId }, 1, upload);
      await recordAuditEntry(tx, context, { resourceId: id });
      const body = toDocumentView(fieldCipher, row, {
        current,
        versionCount: 1,
        shareCount: 0,
        readOnly: false,
      });
      return { body, location: `/api/documents/${id}` };
    },
  );
  if (result.isReplayed) {
    await services.files.discardPending(upload.file);
    // The replayed response shows the document again.
    await database.transaction((tx) => recordHealthDocumentViewed(tx, context, result.body));
  }
  return result;
}

/** @throws NOT_FOUND, TOO_MANY_VERSIONS, PLAN_LIMIT_REACHED, PRECONDITION_FAILED */
export async function addDocumentVersion(
  services: DocumentServices,
  context: RequestContext,
  key: OwnedDocumentKey,
  upload: DocumentUpload,
  ifMatch: string | undefined,
): Promise<IdempotentResult<Static<typeof DocumentVersionSchema>>> {
  const { id, accountId } = key;
  const result = await services.createIdempotently(
    context,
    { who: accountId, fingerprint: { id, ...getUploadFingerprint(upload) } },
    async (tx) => {
      const row = await requireAndLockOwnDocument(tx, key);
      assertIfMatch(ifMatch, row.version);
      if (await services.isReadOnly(tx, 'documents', row))
        await services.rejectReadOnlyChange(tx, 'documents', accountId);
      if ((await countDocumentVersions(tx, key)) >= MAX_DOCUMENT_VERSIONS)
        throw new ServiceError('TOO_MANY_VERSIONS');
      const newest = await findNewestDocumentVersion(tx, key);
      // Accesses and download tickets name versions by their numbers, also deleted ones.
      const number = Math.max(newest?.number ?? row.currentVersion, row.lastDeletedVersion) + 1;
      const version = await saveDocumentVersion(services, tx, key, number, upload);
      await updateDocument(tx, key, { currentVersion: number });
      await recordAuditEntry(tx, context, { resourceId: id });
      const body = toDocumentVersionView(services.fieldCipher, version);
      return { body, location: `/api/documents/${id}/content?version=${number}` };
    },
  );
  if (result.isReplayed) await services.files.discardPending(upload.file);
  return result;
}

async function saveDocumentVersion(
  { fieldCipher, files, reserveQuota }: DocumentServices,
  tx: Tx,
  { id: documentId, accountId }: OwnedDocumentKey,
  number: number,
  { file, contentType, fileName, malwareCheck }: DocumentUpload,
): Promise<DocumentVersionRow> {
  await reserveQuota(tx, 'storageBytes', accountId, file.size);
  await files.commit(tx, file);
  const id = generateId();
  const encryptedFileName = DOCUMENT_FILE_NAME.encrypt(fieldCipher, { id, accountId }, fileName);
  const { size } = file;
  return insertDocumentVersion(tx, {
    id,
    documentId,
    accountId,
    number,
    fileId: file.id,
    fileName: encryptedFileName,
    contentType,
    size,
    malwareCheck,
  });
}

function getUploadFingerprint({ fileName, digest }: DocumentUpload) {
  return { fileName, digest };
}
