import type { Static } from 'typebox';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { formatUserName } from '../shares/share.view.ts';
import type { DocumentGrantRow, ReceivedDocumentRow } from './grant.repository.ts';
import { GRANT_EMAIL } from './grant-email.ts';
import type { DocumentGrant, ReceivedDocument } from './grants.schemas.ts';

/** @throws DATA_INTEGRITY */
export function toDocumentGrantView(
  fieldCipher: FieldCipher,
  row: DocumentGrantRow,
): Static<typeof DocumentGrant> {
  const { id, documentId, createdAt } = row;
  return {
    id,
    documentId,
    email: GRANT_EMAIL.decrypt(fieldCipher, row),
    createdAt: createdAt.toISOString(),
  };
}

export function toReceivedDocumentView(row: ReceivedDocumentRow): Static<typeof ReceivedDocument> {
  const { id, title, kind, contentType, size, version, expiresOn, createdAt } = row;
  return {
    id,
    title,
    kind,
    contentType,
    size,
    version,
    expiresOn: expiresOn?.toISOString().slice(0, 10) ?? null,
    grantedBy: { name: formatUserName(row) },
    createdAt: createdAt.toISOString(),
  };
}
