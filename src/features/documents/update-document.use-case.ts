import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type Metadata, mergeMetadata } from '../../shared/metadata.schemas.ts';
import { pickChanges } from '../../shared/pick-changes.ts';
import { assertDocumentExternalIdFree, type DocumentRow, updateDocument } from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import type { DocumentSchema, DocumentUpdateRequest } from './documents.schemas.ts';
import { DOCUMENT_NOTE } from './encrypted-document-fields.ts';
import { loadDocumentView, type OwnedDocumentKey, requireAndLockOwnDocument } from './read-document.ts';

/** @throws NOT_FOUND, PRECONDITION_FAILED, EXTERNAL_ID_TAKEN, PLAN_LIMIT_REACHED if it is read-only */
export async function updateDocumentMetadata(
  services: DocumentServices,
  context: RequestContext,
  key: OwnedDocumentKey,
  input: Static<typeof DocumentUpdateRequest>,
  ifMatch: string | undefined,
): Promise<Static<typeof DocumentSchema>> {
  const { database, fieldCipher, isReadOnly, rejectReadOnlyChange } = services;
  return database.transaction(async (tx) => {
    const row = await requireAndLockOwnDocument(tx, key);
    assertIfMatch(ifMatch, row.version);
    // Clients send back fields that they have not changed.
    if ((await isReadOnly(tx, 'documents', row)) && hasChanges(row, input))
      await rejectReadOnlyChange(tx, 'documents', row.accountId);
    await assertDocumentExternalIdFree(tx, { ...row, externalId: input.externalId });
    const changes = pickChanges(row, toFields(row));
    if (Object.keys(changes).length === 0) return loadDocumentView(services, tx, row);
    const after = await updateDocument(tx, row, changes);
    await recordAuditEntry(tx, context, { resourceId: row.id, changes: Object.keys(input) });
    return loadDocumentView(services, tx, after);
  });

  function toFields(row: DocumentRow) {
    const { title, kind, note, expiresOn, externalId, metadata } = input;
    return {
      ...(title === undefined ? {} : { title: title.normalize('NFC') }),
      ...(kind === undefined ? {} : { kind }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(metadata === undefined ? {} : { metadata: mergeMetadata(row.metadata as Metadata, metadata) }),
      // A new ciphertext differs from that of the same note.
      ...(note === undefined || (note?.normalize('NFC') ?? null) === DOCUMENT_NOTE.decrypt(fieldCipher, row)
        ? {}
        : { note: DOCUMENT_NOTE.encrypt(fieldCipher, row, note?.normalize('NFC') ?? null) }),
      ...(expiresOn === undefined ? {} : { expiresOn: expiresOn === null ? null : new Date(expiresOn) }),
    };
  }

  /** Of what is the document's; ids and metadata of the owner are not. */
  function hasChanges(row: DocumentRow, change: typeof input): boolean {
    const { title, kind, note, expiresOn } = change;
    const stored = {
      title: row.title,
      kind: row.kind,
      note: DOCUMENT_NOTE.decrypt(fieldCipher, row),
      expiresOn: row.expiresOn?.toISOString().slice(0, 10) ?? null,
    };
    return Object.entries({ title, kind, note, expiresOn }).some(
      ([name, value]) =>
        value !== undefined && Reflect.get(stored, name) !== (value?.normalize('NFC') ?? null),
    );
  }
}
