import type { Vault } from '../../platform/vault.ts';

/** The row that an address is bound to. */
interface Row {
  id: string;
  ownerId: string;
}

/** By which an address is found again: a keyed hash of its normalised form. */
export function caretakerHash(vault: Vault, email: string): Buffer<ArrayBuffer> {
  return vault.hash('caretaker', email);
}

/** Encrypts the address that an owner named. */
export function sealCaretakerEmail(vault: Vault, row: Row, email: string): Buffer<ArrayBuffer> {
  return vault.seal(place(row), email);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function openCaretakerEmail(vault: Vault, row: Row & { email: Uint8Array }): string {
  return vault.open<string>(place(row), row.email);
}

function place({ id, ownerId }: Row) {
  return { table: 'memory_tag_caretakers', column: 'email', rowId: id, ownerId };
}
