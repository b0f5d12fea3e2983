import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { type FormErrors, renderEmptyState, renderForm, renderNote, renderUndoBar } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import type { FormToken } from '../form-token.ts';
import { type Folder, renderFolderFields, renderFolderLabel } from './folder-parts.ts';

const DONE_MESSAGES = {
  created: 'app.folders.done.created',
  changed: 'app.folders.done.changed',
  deleted: 'app.folders.done.deleted',
  restored: 'app.folders.done.restored',
} as const satisfies Record<string, MessageKey>;

export type FolderDone = keyof typeof DONE_MESSAGES;

/** Fields of a refused form, to correct them. */
export interface FolderDraft {
  name?: string | undefined;
  color?: string | undefined;
}

/** Render what was done to a folder, with the button that brings a deleted one back. */
export function renderFolderDone(
  path: string,
  { done, id }: { done?: string | undefined; id?: string | undefined },
  token: FormToken,
  locale: Locale,
): Html | null {
  if (!isKeyOf(DONE_MESSAGES, done)) return null;
  const text = t(locale, DONE_MESSAGES[done]);
  if (done !== 'deleted' || !isId(id)) return renderNote(text);
  return renderUndoBar(text, {
    action: `${path}/${id}/restore`,
    token,
    submit: t(locale, 'app.code.undo'),
  });
}

/** Render the folders of an account with the numbers of their codes, and the form of a new one. */
export function renderFolderList(
  page: {
    codesPath: string;
    folders: readonly Folder[];
    draft: FolderDraft;
    errors: FormErrors;
    token: FormToken;
  },
  locale: Locale,
): Html {
  const { codesPath, folders, draft, errors, token } = page;
  const row = (folder: Folder) =>
    html`<li><div><h2><a href="${codesPath}?folder=${folder.id}">${renderFolderLabel(folder)}</a></h2><p class="small">${t(locale, 'app.codes.count', { count: folder.codeCount })}</p>${token !== null && html`<p class="small"><a class="act plain" href="${codesPath}/folders/${folder.id}">${t(locale, 'app.folders.change')}</a></p>`}</div></li>\n`;
  return html`<p>${t(locale, 'app.folders.text')} <a href="${codesPath}">${t(locale, 'app.codes.all')}</a></p>
${folders.length === 0 ? renderEmptyState(t(locale, 'app.folders.empty')) : html`<ul class="cards rows">${folders.map(row)}</ul>`}
${
  token !== null &&
  html`<section class="narrow"><h2>${t(locale, 'app.folders.new')}</h2>${renderForm({
    action: `${codesPath}/folders`,
    token,
    fields: renderFolderFields({ name: draft.name, color: draft.color }, errors, locale),
    submit: t(locale, 'app.folders.create'),
  })}</section>`
}`;
}

/** Render what can be done with one folder. */
export function renderFolderPage(
  page: {
    accountPath: string;
    codesPath: string;
    folder: Folder;
    draft: FolderDraft;
    errors: FormErrors;
    token: FormToken;
  },
  locale: Locale,
): Html {
  const { accountPath, codesPath, folder, draft, errors, token } = page;
  const path = `${codesPath}/folders/${folder.id}`;
  const filter = { folder: folder.id };
  const { name = folder.name, color = folder.color } = draft;
  return html`<p>${renderFolderLabel(folder)} · ${t(locale, 'app.codes.count', { count: folder.codeCount })}</p>
<p class="actions"><a class="act plain" href="${formatListPath(codesPath, filter)}">${t(locale, 'app.folders.open')}</a><a class="act plain" href="${formatListPath(`${accountPath}/print`, filter)}">${t(locale, 'app.sheets.title')}</a><a class="act plain" href="${formatListPath(`${codesPath}/export`, filter)}" download>${t(locale, 'app.staff.audit.csv')}</a></p>
${renderForm({
  action: `${path}/change`,
  token,
  hidden: { version: String(folder.version) },
  fields: renderFolderFields({ name, color }, errors, locale),
  submit: t(locale, 'app.content.save'),
})}
<section><h2>${t(locale, 'app.folders.delete')}</h2><p>${t(locale, 'app.folders.deleteText')}</p>${renderForm(
    {
      action: `${path}/delete`,
      token,
      submit: t(locale, 'app.folders.delete'),
      kind: 'danger',
    },
  )}</section>
<p><a href="${codesPath}/folders">${t(locale, 'app.folders.all')}</a></p>`;
}
