import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type DocumentRow, updateDocument } from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import type { DocumentSchema, DocumentUpdateRequest } from './documents.schemas.ts';
import { decryptDocumentNote, encryptDocumentNote } from './encrypted-document-fields.ts';
import { loadDocumentView, type OwnedDocumentKey, requireAndLockOwnDocument } from './read-document.ts';

/** @throws NOT_FOUND, PRECONDITION_FAILED, PLAN_LIMIT_REACHED if it is read-only */
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
      await rejectReadOnlyChange(tx, 'documents', row.ownerId);
    const after = await updateDocument(tx, row.id, toFields(row));
    await recordAuditEntry(tx, context, { resourceId: row.id, changes: Object.keys(input) });
    return loadDocumentView(services, tx, after);
  });

  function toFields(row: DocumentRow) {
    const { title, kind, note, expiresOn } = input;
    return {
      ...(title === undefined ? {} : { title: title.normalize('NFC') }),
      ...(kind === undefined ? {} : { kind }),
      ...(note === undefined
        ? {}
        : { note: encryptDocumentNote(fieldCipher, row, note?.normalize('NFC') ?? null) }),
      ...(expiresOn === undefined ? {} : { expiresOn: expiresOn === null ? null : new Date(expiresOn) }),
    };
  }

  function hasChanges(row: DocumentRow, change: object): boolean {
    const stored = {
      title: row.title,
      kind: row.kind,
      note: decryptDocumentNote(fieldCipher, row),
      expiresOn: row.expiresOn?.toISOString().slice(0, 10) ?? null,
    };
    return Object.entries(change).some(
      ([name, value]) => Reflect.get(stored, name) !== (value?.normalize('NFC') ?? null),
    );
  }
}
