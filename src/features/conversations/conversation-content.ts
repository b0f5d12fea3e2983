import type { Vault } from '../../platform/vault.ts';
import type { Preset } from './presets.rules.ts';

/** What a message says: a ready sentence, a text, or both. */
export interface MessageContent {
  preset: Preset | null;
  text: string;
}

/** The row that an encrypted value is bound to. */
interface Row {
  id: string;
  ownerId: string;
}

/** Encrypts a message for its row. */
export function sealMessage(vault: Vault, row: Row, content: MessageContent): Buffer<ArrayBuffer> {
  return vault.seal(place(row, 'conversation_messages', 'content'), content);
}

/** Decrypts a message. Throws DATA_INTEGRITY. */
export function openMessage(vault: Vault, row: Row & { content: Uint8Array }): MessageContent {
  return vault.open<MessageContent>(place(row, 'conversation_messages', 'content'), row.content);
}

/** Encrypts what a finder calls themselves; null where they do not say. */
export function sealFinderName(vault: Vault, row: Row, name: string | null): Buffer<ArrayBuffer> | null {
  return name === null ? null : vault.seal(place(row, 'conversations', 'finder_name'), name);
}

/** Decrypts what a finder calls themselves. Throws DATA_INTEGRITY. */
export function openFinderName(vault: Vault, row: Row & { finderName: Uint8Array | null }): string | null {
  return row.finderName && vault.open<string>(place(row, 'conversations', 'finder_name'), row.finderName);
}

/** Encrypts where a finder hears of an answer; null where they do not want to. */
export function sealFinderEmail(vault: Vault, row: Row, email: string | null): Buffer<ArrayBuffer> | null {
  return email === null ? null : vault.seal(place(row, 'conversations', 'finder_email'), email);
}

/** Decrypts where a finder hears of an answer. Throws DATA_INTEGRITY. */
export function openFinderEmail(vault: Vault, row: Row & { finderEmail: Uint8Array | null }): string | null {
  return row.finderEmail && vault.open<string>(place(row, 'conversations', 'finder_email'), row.finderEmail);
}

/** Encrypts what a side says about a conversation that it reports; null where it says nothing. */
export function sealReportNote(vault: Vault, row: Row, note: string | null): Buffer<ArrayBuffer> | null {
  return note === null ? null : vault.seal(place(row, 'conversation_reports', 'note'), note);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function openReportNote(vault: Vault, row: Row & { note: Uint8Array | null }): string | null {
  return row.note && vault.open<string>(place(row, 'conversation_reports', 'note'), row.note);
}

/** Encrypts what the administration notes about its decision; null where it notes nothing. */
export function sealDecisionNote(vault: Vault, row: Row, note: string | null): Buffer<ArrayBuffer> | null {
  return note === null ? null : vault.seal(place(row, 'conversation_reports', 'decision_note'), note);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function openDecisionNote(
  vault: Vault,
  row: Row & { decisionNote: Uint8Array | null },
): string | null {
  return (
    row.decisionNote &&
    vault.open<string>(place(row, 'conversation_reports', 'decision_note'), row.decisionNote)
  );
}

function place({ id, ownerId }: Row, table: string, column: string) {
  return { table, column, rowId: id, ownerId };
}
