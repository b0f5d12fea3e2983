import type { Vault } from '../../platform/vault.ts';

/** The row of a code: what its encrypted columns are bound to. */
interface CodeRow {
  id: string;
  ownerId: string;
}

/** The content of a code: the fields of its kind. */
export type QrCodeData = Record<string, unknown>;

/** What an owner says of a lost thing. */
export interface Lost {
  message: string | null;
  reward: string | null;
  lastSeen: string | null;
  since: string;
  /** Whether the code was paused before: it is again when the thing is found. */
  wasPaused?: boolean;
}

/** Encrypts the content of a code for its row: AES-256-CBC with HMAC for MEDICAL, AES-256-GCM else. */
export function sealData(vault: Vault, code: CodeRow & { kind: string }, data: QrCodeData) {
  return vault.seal(place(code, 'data'), data, code.kind === 'MEDICAL' ? 'CBC_HMAC' : 'GCM');
}

/** Decrypts the content of a code. A code that was emptied has none. Throws DATA_INTEGRITY. */
export function openData(vault: Vault, row: CodeRow & { data: Uint8Array | null }): QrCodeData {
  return row.data ? vault.open<QrCodeData>(place(row, 'data'), row.data) : {};
}

/** Encrypts what an owner says of a lost thing. */
export function sealLost(vault: Vault, row: CodeRow, lost: Lost) {
  return vault.seal(place(row, 'lost_details'), lost);
}

/** Decrypts what an owner says of a lost thing; null where it is not lost. Throws DATA_INTEGRITY. */
export function openLost(vault: Vault, row: CodeRow & { lostDetails: Uint8Array | null }): Lost | null {
  return row.lostDetails ? vault.open<Lost>(place(row, 'lost_details'), row.lostDetails) : null;
}

function place({ id, ownerId }: CodeRow, column: string) {
  return { table: 'qr_codes', column, rowId: id, ownerId };
}
