import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { toAccountFields } from '../../shared/common.schemas.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';
import type { DocumentRow } from './document.repository.ts';
import type { DocumentListRow } from './document-list.repository.ts';
import type { DocumentVersionRow } from './document-version.repository.ts';
import type {
  DOCUMENT_KINDS,
  DocumentItem,
  DocumentSchema,
  DocumentVersionSchema,
} from './documents.schemas.ts';
import { DOCUMENT_FILE_NAME, DOCUMENT_NOTE } from './encrypted-document-fields.ts';

interface DocumentViewDetails {
  current: DocumentVersionRow;
  versionCount: number;
  shareCount: number;
  readOnly: boolean;
}

/** @throws DATA_INTEGRITY */
export function toDocumentView(
  fieldCipher: FieldCipher,
  row: DocumentRow,
  { current, versionCount, shareCount, readOnly }: DocumentViewDetails,
): Static<typeof DocumentSchema> {
  const { contentType, size } = current;
  return {
    ...toDocumentItemView({ ...row, contentType, size, versionCount, shareCount }),
    note: DOCUMENT_NOTE.decrypt(fieldCipher, row),
    fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, current),
    malwareCheck: current.malwareCheck,
    readOnly,
  };
}

export function toDocumentItemView(row: Omit<DocumentListRow, 'searchText'>): Static<typeof DocumentItem> {
  return {
    id: row.id,
    ...toAccountFields(row.accountId),
    title: row.title,
    kind: row.kind as (typeof DOCUMENT_KINDS)[number],
    externalId: row.externalId,
    metadata: row.metadata as Metadata,
    expiresOn: row.expiresOn?.toISOString().slice(0, 10) ?? null,
    contentType: row.contentType,
    size: row.size,
    versionCount: row.versionCount,
    currentVersion: row.currentVersion,
    shareCount: row.shareCount,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @throws DATA_INTEGRITY */
export function toDocumentVersionView(
  fieldCipher: FieldCipher,
  row: DocumentVersionRow,
): Static<typeof DocumentVersionSchema> {
  return {
    id: row.id,
    documentId: row.documentId,
    number: row.number,
    fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, row),
    contentType: row.contentType,
    size: row.size,
    malwareCheck: row.malwareCheck,
    createdAt: row.createdAt.toISOString(),
  };
}
