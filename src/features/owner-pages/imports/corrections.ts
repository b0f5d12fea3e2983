import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ImportRowError } from '../../codes/index.ts';
import { renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { translateRowError } from './import-parts.ts';

export interface WrongRow {
  /** In the file that the corrections are of. */
  number: number;
  /** The number that people know it by. */
  label: number;
  cells: readonly string[];
  errors: readonly ImportRowError[];
}

interface Corrections {
  path: string;
  token: FormToken;
  header: readonly string[];
  rows: readonly WrongRow[];
  /** Names the column of an error. */
  label: (field: string) => string;
  locale: Locale;
}

/** Of the other cells of a row. */
const MAX_CONTEXT_CELLS = 5;

/** Render rows with errors: what is wrong, what else is in the row, and the cells to correct. */
export function renderCorrections({ path, token, header, rows, label, locale }: Corrections): Html {
  const isCorrectable = rows.some(({ errors }) => header.some((name) => isWrong(name, errors)));
  const groups = rows.map((row) => {
    const { number, cells, errors } = row;
    const wrong = header.flatMap((name, column) => (isWrong(name, errors) ? [column] : []));
    const others = cells.filter((cell, column) => cell.trim() !== '' && !wrong.includes(column));
    return html`<fieldset class="group"><legend>${t(locale, 'app.imports.rowNumber', { row: String(row.label) })}</legend>
${others.length > 0 && html`<p class="small"><bdi>${others.slice(0, MAX_CONTEXT_CELLS).join(' · ')}</bdi></p>`}<ul class="error">${errors.map((error) => html`<li>${error.field !== null && html`<bdi>${label(error.field)}</bdi>: `}${translateRowError(error, locale)}</li>`)}</ul>
${wrong.map((column) => renderCell(header[column] ?? '', cells[column] ?? '', `cell-${number}-${column}`))}</fieldset>\n`;
  });
  if (!isCorrectable) return html`${groups}`;
  return renderForm({
    action: `${path}/corrections`,
    token,
    submit: t(locale, 'app.imports.correct'),
    className: 'long',
    fields: groups,
  });
}

/** Errors name a column as it stands in the file, with what follows it. */
function isWrong(name: string, errors: readonly ImportRowError[]): boolean {
  const column = name.trim();
  if (column === '') return false;
  return errors.some(
    ({ field }) => field === column || field?.startsWith(`${column}.`) || field?.startsWith(`${column}[`),
  );
}

/** Other cells stay as they are. */
function renderCell(name: string, value: string, field: string): Html {
  const attributes = html` id="${field}" name="${field}" aria-invalid="true"`;
  const input = value.includes('\n')
    ? html`<textarea${attributes} rows="3" dir="auto">${value.startsWith('\n') && '\n'}${value}</textarea>`
    : html`<input${attributes} type="text" dir="auto" value="${value}">`;
  return html`<label for="${field}"><bdi>${name}</bdi></label>${input}`;
}
