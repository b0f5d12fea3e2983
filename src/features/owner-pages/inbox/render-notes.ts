import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  type ConversationNote,
  canDeleteNote,
  MAX_NOTE_CHARACTERS,
  type NoteEditor,
} from '../../conversations/index.ts';
import { renderField, renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';

export const NEW_NOTE_FIELD = 'note-text';

/** A page has one such field for each note. */
export function getNoteFieldName(noteId: string): string {
  return `note-${noteId}`;
}

interface NoteReader {
  editor: NoteEditor;
  /** Path of the notes of the conversation. */
  path: string;
  token: FormToken;
  timeZone: string;
}

/** Render a note as an entry of the thread, with what its reader may do to it. */
export function renderNoteEntry(
  note: Static<typeof ConversationNote>,
  { editor, path, token, timeZone }: NoteReader,
  locale: Locale,
): { at: string; item: Html } {
  const { id, text, authorId, authorName, createdAt } = note;
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const author = authorName ? html` · <bdi>${authorName}</bdi>` : null;
  const isEditable = token !== null && authorId === editor.userId;
  const isDeletable = token !== null && canDeleteNote(note, editor);
  const edit = renderForm({
    action: `${path}/${id}`,
    token,
    fields: renderNoteField(getNoteFieldName(id), text ?? '', locale),
    submit: t(locale, 'app.inbox.notes.save'),
    kind: 'plain',
  });
  const remove = renderForm({
    action: `${path}/${id}/delete`,
    token,
    submit: t(locale, 'app.inbox.notes.delete'),
    kind: 'danger',
  });
  const item = html`<li class="internal"><p class="kind small">${t(locale, 'app.inbox.notes.note')}${author} · <time datetime="${createdAt}">${format.format(new Date(createdAt))}</time></p>
<p class="text">${text ?? t(locale, 'conversation.unreadable')}</p>${isDeletable && html`<details><summary>${t(locale, 'app.inbox.notes.change')}</summary>${isEditable && edit}${remove}</details>`}</li>`;
  return { at: createdAt, item };
}

/** Render the form of a new note. */
export function renderNewNote(path: string, token: FormToken, locale: Locale): Html {
  if (token === null) return html``;
  const form = renderForm({
    action: path,
    token,
    fields: html`<p class="small">${t(locale, 'app.inbox.notes.text')}</p>${renderNoteField(NEW_NOTE_FIELD, '', locale)}`,
    submit: t(locale, 'app.inbox.notes.add'),
    kind: 'plain',
  });
  return html`<details><summary>${t(locale, 'app.inbox.notes.add')}</summary>${form}</details>`;
}

function renderNoteField(name: string, value: string, locale: Locale): Html {
  const label = t(locale, 'app.inbox.notes.label');
  const field = { name, label, value, isMultiline: true, rows: 3, maxLength: MAX_NOTE_CHARACTERS };
  return renderField({ ...field, isRequired: true }, [], locale);
}
