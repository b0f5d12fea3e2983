import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { ColumnMapping, CsvTable, ImportRecord, ImportRowError } from '../../codes/index.ts';
import { renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { translateErrorField } from './column-targets.rules.ts';
import { renderCorrections } from './corrections.ts';
import { renderErrorTable, translateRowError } from './import-parts.ts';
import { getProgress, renderCounts } from './import-status.ts';

interface ImportPage {
  listPath: string;
  path: string;
  token: FormToken;
  row: ImportRecord;
  /** Changes when the page would. */
  state: string;
  errors: readonly ImportRowError[];
  /** Rows with errors, in the order of `errors`. */
  rejected: CsvTable | null;
  mapping: ColumnMapping | null;
  user: { timeZone: string };
  locale: Locale;
}

const MAX_SHOWN_ERRORS = 100;

/** Render how far an import is, or what became of it. */
export function renderImport(page: ImportPage): Html {
  const { row, locale, listPath, path, user } = page;
  const codesPath = listPath.replace(/imports$/, 'codes');
  const content = row.finishedAt ? renderResult(page) : renderProgress(page);
  return html`<p class="small">${translateHtml(locale, 'app.imports.begun', { date: renderMoment(row.createdAt, user, locale) })}</p>
<div id="import"${!row.finishedAt && html` data-script="live" data-updates="${path}/updates" data-state="${page.state}" data-seconds="2" data-text="${t(locale, 'app.imports.changed')}"`}>${content}</div>
<p class="actions"><a class="act plain" href="${codesPath}">${t(locale, 'app.codes.title')}</a><a class="act plain" href="${listPath}">${t(locale, 'app.imports.title')}</a></p>`;
}

function renderProgress({ row, path, token, locale }: ImportPage): Html {
  const percent = getProgress(row);
  return html`<p><progress max="100" value="${percent}" aria-label="${t(locale, 'app.imports.progress')}"></progress></p>
<p>${renderCounts(row, locale)}</p><p class="small">${t(locale, 'app.imports.runs')}</p>
<div class="actions"><a class="act plain" href="${path}">${t(locale, 'app.imports.refresh')}</a>${renderForm({ action: `${path}/cancel`, token, submit: t(locale, 'app.imports.stop'), kind: 'danger' })}</div>`;
}

function renderResult(page: ImportPage): Html {
  const { row, errors, locale, rejected, mapping } = page;
  const failure: unknown = Reflect.get(Object(row.error), 'code');
  const at: unknown = Reflect.get(Object(row.error), 'row');
  const note =
    row.status === 'FAILED'
      ? renderNote(
          failure === 'TOO_MANY_ERRORS'
            ? translateRowError({ code: 'TOO_MANY_ERRORS' }, locale)
            : t(locale, 'app.imports.stopped', { row: String(at ?? 1) }),
          'wrong',
        )
      : renderNote(t(locale, row.status === 'CANCELED' ? 'app.imports.status.canceled' : 'app.imports.done'));
  if (errors.length === 0) return html`${note}<p>${renderCounts(row, locale)}</p>`;
  const label = (field: string) => translateErrorField(field, mapping ?? { kind: null, columns: [] }, locale);
  const listed = errors.slice(0, MAX_SHOWN_ERRORS);
  return html`${note}<p>${renderCounts(row, locale)}</p>
<section><h2>${t(locale, 'app.imports.problems')}</h2>${
    rejected ? renderRejectedRows(page, rejected, label) : renderErrorTable(listed, label, locale)
  }</section>`;
}

function renderRejectedRows(
  { errors, path, token, locale, row }: ImportPage,
  table: CsvTable,
  label: (field: string) => string,
): Html {
  // The rows with errors are in the order of the file.
  const numbers = [...new Set(errors.map((error) => error.row))];
  const rows = table.rows.map((one, index) => {
    const number = numbers[index] ?? 0;
    return { ...one, label: number, errors: errors.filter((error) => error.row === number) };
  });
  const rest = row.failed - rows.length;
  return html`<p>${t(locale, 'app.imports.correctText')}</p>
<p><a class="act plain" href="${path}/rejected-rows">${t(locale, 'app.imports.download')}</a></p>
${rest > 0 && html`<p class="small">${t(locale, 'app.imports.moreRows', { count: rest })}</p>`}
${renderCorrections({ path, token, header: table.header, rows, label, locale })}`;
}
