import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { renderHiddenFields } from '../components.ts';
import type { FormToken } from '../form-token.ts';

/** Of one page of the table. */
const MAX_SELECTED = 25;

const FORM_ID = 'selection';

/** The ids of the codes that a form selects, as its fields name them. */
export function listSelectedIds(fields: Readonly<Record<string, string>>): string[] {
  const ids = Object.keys(fields).flatMap((name) => /^code-(.*)$/.exec(name)?.[1] ?? []);
  return ids.filter(isId).slice(0, MAX_SELECTED);
}

/** Parse the ids of selected codes in an address or a hidden field. */
export function parseSelectedIds(text = ''): string[] {
  return [...new Set(text.split(',').filter(isId))].slice(0, MAX_SELECTED);
}

/** Render the box of a row, which belongs to the form of the buttons. */
export function renderSelectionBox({ id, title }: { id: string; title: string }, locale: Locale): Html {
  return html`<input type="checkbox" form="${FORM_ID}" name="code-${id}" aria-label="${t(locale, 'app.codes.selected.select', { title })}">`;
}

/** Render the buttons for what is selected in the table below: each sends it to its own address. Null as for forms. */
export function renderSelectionForm(
  codesPath: string,
  token: FormToken,
  buttons: Readonly<Record<string, string>>,
  locale: Locale,
): Html | null {
  if (token === null) return null;
  return html`<form method="post" id="${FORM_ID}" class="selection">${renderHiddenFields({ token })}<label class="choice" data-script="select-all" hidden><input type="checkbox">${t(locale, 'app.codes.selected.all')}</label><span>${t(locale, 'app.codes.selected.label')}</span> ${Object.entries(
    buttons,
  ).map(
    ([action, label]) =>
      html`<button class="plain" formaction="${codesPath}/selected/${action}">${label}</button>`,
  )}</form>
`;
}
