import type { Static } from 'typebox';
import type { Vault } from '../../platform/vault.ts';
import type { DocumentRow } from './document.repository.ts';
import type { DocumentListRow } from './document-list.repository.ts';
import type { DocumentVersionRow } from './document-version.repository.ts';
import type { DOCUMENT_KINDS, Document, DocumentItem, DocumentVersion } from './documents.schemas.ts';
import { openFileName, openNote } from './sealed-fields.ts';

/** What of a document stands in other tables. */
interface Around {
  newest: DocumentVersionRow;
  versionCount: number;
  shareCount: number;
  readOnly: boolean;
}

/** A document as its owner sees it. Throws DATA_INTEGRITY. */
export function documentView(
  vault: Vault,
  row: DocumentRow,
  { newest, versionCount, shareCount, readOnly }: Around,
): Static<typeof Document> {
  const { contentType, size } = newest;
  return {
    ...documentItemView({ ...row, contentType, size, versionCount, shareCount }),
    note: openNote(vault, row),
    fileName: openFileName(vault, newest),
    malwareCheck: newest.malwareCheck,
    readOnly,
  };
}

/** A document in a list: nothing of it is encrypted. */
export function documentItemView(row: DocumentListRow): Static<typeof DocumentItem> {
  return {
    id: row.id,
    ownerId: row.ownerId,
    title: row.title,
    kind: row.kind as (typeof DOCUMENT_KINDS)[number],
    expiresOn: row.expiresOn?.toISOString().slice(0, 10) ?? null,
    contentType: row.contentType,
    size: Number(row.size),
    versionCount: row.versionCount,
    currentVersion: row.currentVersion,
    shareCount: row.shareCount,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A version of a document as its owner sees it. Throws DATA_INTEGRITY. */
export function documentVersionView(vault: Vault, row: DocumentVersionRow): Static<typeof DocumentVersion> {
  return {
    id: row.id,
    documentId: row.documentId,
    number: row.number,
    fileName: openFileName(vault, row),
    contentType: row.contentType,
    size: row.size,
    malwareCheck: row.malwareCheck,
    createdAt: row.createdAt.toISOString(),
  };
}
