import type { Static } from 'typebox';
import type { Vault } from '../../platform/vault.ts';
import { nameOf } from '../document-shares/share.view.ts';
import type { GivenRow, GrantRow } from './grant.repository.ts';
import { openGrantEmail } from './grant-email.ts';
import type { DocumentGrant, GivenDocument } from './grants.schemas.ts';

/** A grant as the document's owner sees it. Throws DATA_INTEGRITY. */
export function grantView(vault: Vault, row: GrantRow): Static<typeof DocumentGrant> {
  const { id, documentId, createdAt } = row;
  return { id, documentId, email: openGrantEmail(vault, row), createdAt: createdAt.toISOString() };
}

/** A document as whoever it was given to sees it. */
export function givenView(row: GivenRow): Static<typeof GivenDocument> {
  const { id, title, kind, contentType, size, version, expiresOn, createdAt } = row;
  return {
    ...{ id, title, kind, contentType, size, version },
    expiresOn: expiresOn?.toISOString().slice(0, 10) ?? null,
    givenBy: { name: nameOf(row) },
    createdAt: createdAt.toISOString(),
  };
}
