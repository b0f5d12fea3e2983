import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { checkVersion } from '../../platform/http/if-match.ts';
import { changeDocument, type DocumentRow } from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import type { Document, DocumentChange } from './documents.schemas.ts';
import { lockDocument, type OwnedDocument, viewOf } from './read-document.ts';
import { openNote, sealNote } from './sealed-fields.ts';

/** Changes what is noted of a document. Throws NOT_FOUND, PRECONDITION_FAILED, PLAN_LIMIT_REACHED for one that is read-only. */
export async function changeOwnDocument(
  services: DocumentServices,
  caller: Caller,
  owned: OwnedDocument,
  given: Static<typeof DocumentChange>,
  ifMatch: string | undefined,
): Promise<Static<typeof Document>> {
  const { database, vault, isReadOnly, refuseReadOnly } = services;
  return database.transaction(async (tx) => {
    const row = await lockDocument(tx, owned);
    checkVersion(ifMatch, row.version);
    // Clients send back what they have read.
    if ((await isReadOnly(tx, 'documents', row)) && differs(row, given))
      await refuseReadOnly(tx, 'documents', row.ownerId);
    const after = await changeDocument(tx, row.id, fieldsOf(row));
    await recordAction(tx, caller, { resourceId: row.id, changes: Object.keys(given) });
    return viewOf(services, tx, after);
  });

  function fieldsOf(row: DocumentRow) {
    const { title, kind, note, expiresOn } = given;
    return {
      ...(title === undefined ? {} : { title: title.normalize('NFC') }),
      ...(kind === undefined ? {} : { kind }),
      ...(note === undefined ? {} : { note: sealNote(vault, row, note?.normalize('NFC') ?? null) }),
      ...(expiresOn === undefined ? {} : { expiresOn: expiresOn === null ? null : new Date(expiresOn) }),
    };
  }

  function differs(row: DocumentRow, change: object): boolean {
    const stored = {
      title: row.title,
      kind: row.kind,
      note: openNote(vault, row),
      expiresOn: row.expiresOn?.toISOString().slice(0, 10) ?? null,
    };
    return Object.entries(change).some(
      ([name, value]) => Reflect.get(stored, name) !== (value?.normalize('NFC') ?? null),
    );
  }
}
