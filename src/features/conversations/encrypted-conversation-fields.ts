import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { MessagePreset } from './presets.rules.ts';

/** What a message says: a ready sentence, a text, or both. */
export interface MessageContent {
  preset: MessagePreset | null;
  text: string;
}

/** The row that an encrypted value is bound to. */
interface EncryptedRow {
  id: string;
  ownerId: string;
}

/** Encrypts a message for its row. */
export function encryptMessage(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  content: MessageContent,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(getFieldLocation(row, 'conversation_messages', 'content'), content);
}

/** Decrypts a message. Throws DATA_INTEGRITY. */
export function decryptMessage(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { content: Uint8Array },
): MessageContent {
  return fieldCipher.decrypt<MessageContent>(
    getFieldLocation(row, 'conversation_messages', 'content'),
    row.content,
  );
}

/** Encrypts what a finder calls themselves; null where they do not say. */
export function encryptFinderName(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  name: string | null,
): Buffer<ArrayBuffer> | null {
  return name === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversations', 'finder_name'), name);
}

/** Decrypts what a finder calls themselves. Throws DATA_INTEGRITY. */
export function decryptFinderName(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { finderName: Uint8Array | null },
): string | null {
  return (
    row.finderName &&
    fieldCipher.decrypt<string>(getFieldLocation(row, 'conversations', 'finder_name'), row.finderName)
  );
}

/** Encrypts where a finder hears of an answer; null where they do not want to. */
export function encryptFinderEmail(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  email: string | null,
): Buffer<ArrayBuffer> | null {
  return email === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversations', 'finder_email'), email);
}

/** Decrypts where a finder hears of an answer. Throws DATA_INTEGRITY. */
export function decryptFinderEmail(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { finderEmail: Uint8Array | null },
): string | null {
  return (
    row.finderEmail &&
    fieldCipher.decrypt<string>(getFieldLocation(row, 'conversations', 'finder_email'), row.finderEmail)
  );
}

/** Encrypts what a side says about a conversation that it reports; null where it says nothing. */
export function encryptReportNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  note: string | null,
): Buffer<ArrayBuffer> | null {
  return note === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversation_reports', 'note'), note);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function decryptReportNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { note: Uint8Array | null },
): string | null {
  return (
    row.note && fieldCipher.decrypt<string>(getFieldLocation(row, 'conversation_reports', 'note'), row.note)
  );
}

/** Encrypts what the administration notes about its decision; null where it notes nothing. */
export function encryptDecisionNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  note: string | null,
): Buffer<ArrayBuffer> | null {
  return note === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversation_reports', 'decision_note'), note);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function decryptDecisionNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { decisionNote: Uint8Array | null },
): string | null {
  return (
    row.decisionNote &&
    fieldCipher.decrypt<string>(
      getFieldLocation(row, 'conversation_reports', 'decision_note'),
      row.decisionNote,
    )
  );
}

function getFieldLocation({ id, ownerId }: EncryptedRow, table: string, column: string) {
  return { table, column, rowId: id, ownerId };
}
