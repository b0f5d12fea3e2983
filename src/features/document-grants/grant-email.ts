import type { Vault } from '../../platform/vault.ts';

/** What whoever has a normalised address finds by it, and nobody reads in the table. */
export function grantEmailHash(vault: Vault, email: string): Buffer<ArrayBuffer> {
  return vault.hash('document-grant-email', email);
}

/** Encrypts the address of a grant for its row. */
export function sealGrantEmail(vault: Vault, grant: Owned, email: string): Buffer<ArrayBuffer> {
  return vault.seal(emailPlace(grant), email);
}

/** Decrypts the address of a grant. Throws DATA_INTEGRITY. */
export function openGrantEmail(vault: Vault, row: Owned & { email: Uint8Array }): string {
  return vault.open<string>(emailPlace(row), row.email);
}

interface Owned {
  id: string;
  ownerId: string;
}

function emailPlace({ id, ownerId }: Owned) {
  return { table: 'document_grants', column: 'email', rowId: id, ownerId };
}
