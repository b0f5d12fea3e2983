import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { checkVersion } from '../../platform/http/if-match.ts';
import type { Made } from '../../platform/idempotency.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { changeDocument, insertDocument } from './document.repository.ts';
import { documentVersionView, documentView } from './document.view.ts';
import { MOST_VERSIONS } from './document-limits.rules.ts';
import type { DocumentServices } from './document-services.ts';
import { countVersions, type DocumentVersionRow, insertVersion } from './document-version.repository.ts';
import type { Document, DocumentVersion, NewDocument } from './documents.schemas.ts';
import { lockDocument, type OwnedDocument, recordSeen } from './read-document.ts';
import { sealFileName, sealNote } from './sealed-fields.ts';
import type { Upload } from './take-upload.ts';

/** Makes a document of an upload. Throws PLAN_LIMIT_REACHED. */
export async function createDocument(
  services: DocumentServices,
  caller: Caller,
  ownerId: string,
  upload: Upload,
  given: Static<typeof NewDocument>,
): Promise<Made<Static<typeof Document>>> {
  const { database, vault, createOnce, reserveRoom } = services;
  const made = await createOnce(
    caller,
    { who: ownerId, sameAs: { ...given, ...same(upload) } },
    async (tx) => {
      await reserveRoom(tx, 'documents', ownerId);
      const id = newId();
      const row = await insertDocument(tx, {
        ...{ id, ownerId },
        title: (given.title ?? upload.fileName).normalize('NFC'),
        kind: given.kind ?? 'OTHER',
        note: sealNote(vault, { id, ownerId }, given.note?.normalize('NFC') ?? null),
        expiresOn: given.expiresOn === undefined ? null : new Date(given.expiresOn),
      });
      const newest = await storeVersion(services, tx, { id, ownerId }, 1, upload);
      await recordAction(tx, caller, { resourceId: id });
      const body = documentView(vault, row, { newest, versionCount: 1, shareCount: 0, readOnly: false });
      return { body, location: `/api/documents/${id}` };
    },
  );
  if (made.isReplayed) {
    await services.files.drop(upload.file);
    // The answer to a repeat shows the document again.
    await database.transaction((tx) => recordSeen(tx, caller, made.body));
  }
  return made;
}

/** Adds an upload to a document as its newest version. Throws NOT_FOUND, TOO_MANY_VERSIONS, PLAN_LIMIT_REACHED, PRECONDITION_FAILED. */
export async function addVersion(
  services: DocumentServices,
  caller: Caller,
  owned: OwnedDocument,
  upload: Upload,
  ifMatch: string | undefined,
): Promise<Made<Static<typeof DocumentVersion>>> {
  const { id, ownerId } = owned;
  const made = await services.createOnce(
    caller,
    { who: ownerId, sameAs: { id, ...same(upload) } },
    async (tx) => {
      const row = await lockDocument(tx, owned);
      checkVersion(ifMatch, row.version);
      if (await services.isReadOnly(tx, 'documents', row))
        await services.refuseReadOnly(tx, 'documents', ownerId);
      if ((await countVersions(tx, id)) >= MOST_VERSIONS) throw new ServiceError('TOO_MANY_VERSIONS');
      const number = row.currentVersion + 1;
      const version = await storeVersion(services, tx, owned, number, upload);
      await changeDocument(tx, id, { currentVersion: number });
      await recordAction(tx, caller, { resourceId: id });
      const body = documentVersionView(services.vault, version);
      return { body, location: `/api/documents/${id}/content?version=${number}` };
    },
  );
  if (made.isReplayed) await services.files.drop(upload.file);
  return made;
}

async function storeVersion(
  { vault, files, reserveRoom }: DocumentServices,
  tx: Tx,
  { id: documentId, ownerId }: OwnedDocument,
  number: number,
  { file, contentType, fileName, malwareCheck }: Upload,
): Promise<DocumentVersionRow> {
  await reserveRoom(tx, 'storageBytes', ownerId, file.size);
  await files.settle(tx, file);
  const id = newId();
  const sealed = sealFileName(vault, { id, ownerId }, fileName);
  const { size } = file;
  return insertVersion(tx, {
    id,
    documentId,
    ownerId,
    number,
    fileId: file.id,
    fileName: sealed,
    contentType,
    size,
    malwareCheck,
  });
}

/** What tells an upload from another. */
function same({ fileName, digest }: Upload) {
  return { fileName, digest };
}
