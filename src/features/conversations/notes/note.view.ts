import type { Static } from 'typebox';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { TolerantReader } from '../../../platform/report-integrity-failures.ts';
import { formatUserName } from '../conversation.view.ts';
import { NOTE_CONTENT } from '../encrypted-conversation-fields.ts';
import type { NoteRow } from './note.repository.ts';
import type { ConversationNote } from './notes.schemas.ts';

/** Convert a note, by default with an error for a text that fails its integrity check. @throws DATA_INTEGRITY */
export function toNoteView(
  fieldCipher: FieldCipher,
  row: NoteRow,
  readTolerantly: TolerantReader = (read) => read(),
): Static<typeof ConversationNote> {
  return {
    id: row.id,
    text: readTolerantly(() => NOTE_CONTENT.decrypt(fieldCipher, row)),
    authorId: row.authorId,
    authorName: row.author && formatUserName(row.author),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
