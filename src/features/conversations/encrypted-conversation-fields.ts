import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { MessagePreset } from './presets.rules.ts';

export interface MessageContent {
  preset: MessagePreset | null;
  text: string;
}

interface EncryptedRow {
  id: string;
  accountId: string;
}

export function encryptConversationMessage(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  content: MessageContent,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(getFieldLocation(row, 'conversation_messages', 'content'), content);
}

/** Decrypt a message. @throws DATA_INTEGRITY */
export function decryptConversationMessage(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { content: Uint8Array },
): MessageContent {
  return fieldCipher.decrypt<MessageContent>(
    getFieldLocation(row, 'conversation_messages', 'content'),
    row.content,
  );
}

export function encryptFinderName(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  name: string | null,
): Buffer<ArrayBuffer> | null {
  return name === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversations', 'finder_name'), name);
}

/** Decrypt the name of a finder. @throws DATA_INTEGRITY */
export function decryptFinderName(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { finderName: Uint8Array | null },
): string | null {
  return (
    row.finderName &&
    fieldCipher.decrypt<string>(getFieldLocation(row, 'conversations', 'finder_name'), row.finderName)
  );
}

export function encryptFinderEmail(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  email: string | null,
): Buffer<ArrayBuffer> | null {
  return email === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversations', 'finder_email'), email);
}

/** Decrypt the address of a finder. @throws DATA_INTEGRITY */
export function decryptFinderEmail(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { finderEmail: Uint8Array | null },
): string | null {
  return (
    row.finderEmail &&
    fieldCipher.decrypt<string>(getFieldLocation(row, 'conversations', 'finder_email'), row.finderEmail)
  );
}

export function encryptConversationReportNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  note: string | null,
): Buffer<ArrayBuffer> | null {
  return note === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversation_reports', 'note'), note);
}

/** Decrypt the note of a report. @throws DATA_INTEGRITY */
export function decryptConversationReportNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow & { note: Uint8Array | null },
): string | null {
  return (
    row.note && fieldCipher.decrypt<string>(getFieldLocation(row, 'conversation_reports', 'note'), row.note)
  );
}

export function encryptReportDecisionNote(
  fieldCipher: FieldCipher,
  row: EncryptedRow,
  note: string | null,
): Buffer<ArrayBuffer> | null {
  return note === null
    ? null
    : fieldCipher.encrypt(getFieldLocation(row, 'conversation_reports', 'decision_note'), note);
}

/** Decrypt the note of a decision on a report. @throws DATA_INTEGRITY */
export function decryptReportDecisionNote(
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

function getFieldLocation({ id, accountId }: EncryptedRow, table: string, column: string) {
  return { table, column, rowId: id, accountId };
}
