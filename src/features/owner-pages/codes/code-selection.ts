import { Type } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { renderHiddenFields, renderNote } from '../components.ts';

/** Of one page of the table. */
const MAX_SELECTED = 25;

const FORM_ID = 'selection';

const DONE_MESSAGES = {
  pause: 'app.codes.selected.paused',
  resume: 'app.codes.selected.resumed',
  delete: 'app.codes.selected.deleted',
  restore: 'app.codes.selected.restored',
} as const satisfies Record<string, MessageKey>;

export type SelectionAction = keyof typeof DONE_MESSAGES;

/** What was done with selected codes, in the address of the table. */
export const SELECTION_PARAMS = {
  selected: Type.Optional(Type.String()),
  count: Type.Optional(Type.String()),
  failed: Type.Optional(Type.String()),
};

/** The ids of the codes that a form selects, as its fields name them. */
export function listSelectedIds(fields: Readonly<Record<string, string>>): string[] {
  const ids = Object.keys(fields).flatMap((name) => /^code-(.*)$/.exec(name)?.[1] ?? []);
  return ids.filter(isId).slice(0, MAX_SELECTED);
}

/** Render the box of a row, which belongs to the form of the buttons. */
export function renderSelectionBox({ id, title }: { id: string; title: string }, locale: Locale): Html {
  return html`<input type="checkbox" form="${FORM_ID}" name="code-${id}" aria-label="${t(locale, 'app.codes.selected.select', { title })}">`;
}

/** Render the buttons for what is selected in the table below. */
export function renderSelectionForm(
  codesPath: string,
  { token, isDeleted }: { token: string; isDeleted: boolean },
  locale: Locale,
): Html {
  const button = (action: SelectionAction | 'print', label: string) =>
    html`<button class="plain" formaction="${codesPath}/selected/${action}">${label}</button>`;
  const buttons = isDeleted
    ? button('restore', t(locale, 'app.codes.restore'))
    : html`${button('print', t(locale, 'app.sheets.title'))}${button('pause', t(locale, 'app.code.pause'))}${button('resume', t(locale, 'app.code.resume'))}${button('delete', t(locale, 'app.code.deleteTitle'))}`;
  return html`<form method="post" id="${FORM_ID}" class="selection">${renderHiddenFields({ token })}<label class="choice" data-script="select-all" hidden><input type="checkbox">${t(locale, 'app.codes.selected.all')}</label><span>${t(locale, 'app.codes.selected.label')}</span> ${buttons}</form>
`;
}

/** Render what was done with selected codes. */
export function renderSelectionDone(
  codesPath: string,
  { selected = '', count, failed }: { selected?: string; count?: string; failed?: string },
  locale: Locale,
): Html | null {
  const isAction = (name: string): name is SelectionAction => Object.hasOwn(DONE_MESSAGES, name);
  if (selected === 'print') return renderNote(t(locale, 'app.codes.selected.none'), 'wrong');
  if (!isAction(selected)) return null;
  const [done, left] = [toCount(count), toCount(failed)];
  if (done + left === 0) return renderNote(t(locale, 'app.codes.selected.none'), 'wrong');
  const undo =
    selected === 'delete' &&
    html` <a href="${codesPath}?status=DELETED">${t(locale, 'app.codes.selected.undo')}</a>`;
  return html`${done > 0 && renderNote(html`${t(locale, DONE_MESSAGES[selected], { count: done })}${undo}`)}${
    left > 0 && renderNote(t(locale, 'app.codes.selected.failed', { count: left }), 'wrong')
  }`;
}

function toCount(text: string | undefined): number {
  return /^\d{1,2}$/.test(text ?? '') ? Number(text) : 0;
}
