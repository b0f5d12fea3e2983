import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ColumnMapping, ImportCheck } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { type FieldOption, renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { listColumnTargets, translateErrorField, translateTarget } from './column-targets.rules.ts';
import { renderCorrections, type WrongRow } from './corrections.ts';

interface CheckPage {
  path: string;
  token: FormToken;
  note: Html | null;
  mapping: ColumnMapping;
  check: ImportCheck;
  header: readonly string[];
  /** Some of those with errors. */
  wrongRows: readonly WrongRow[];
  locale: Locale;
}

/** Render what an import would do: numbers, the first rows, errors, and the button that starts it. */
export function renderCheck(page: CheckPage): Html {
  const { path, token, note, mapping, check, header, wrongRows, locale } = page;
  const { created, updated, failed } = check.counts;
  const good = created + updated;
  const rest = failed - wrongRows.length;
  return html`${note}<p role="status">${[
    t(locale, 'app.imports.check.created', { count: created }),
    ...(updated > 0 ? [t(locale, 'app.imports.check.updated', { count: updated })] : []),
    ...(failed > 0 ? [t(locale, 'app.imports.check.failed', { count: failed })] : []),
  ].join(' · ')}</p>
${!check.isComplete && html`<p>${t(locale, 'app.imports.check.incomplete', { count: check.rowsChecked })}</p>`}
${check.error && renderNote(t(locale, 'app.imports.stopped', { row: String(check.error.row) }), 'wrong')}
<div class="actions">${
    good > 0 &&
    renderForm({
      action: `${path}/start`,
      token,
      submit: t(locale, 'app.imports.check.button', { count: good }),
    })
  }<a class="act plain" href="${path}/columns">${t(locale, 'app.imports.check.back')}</a>${renderForm({ action: `${path}/discard`, token, submit: t(locale, 'app.imports.discard'), kind: 'danger' })}</div>
${check.rows.length > 0 && html`<section><h2>${t(locale, 'app.imports.check.rows')}</h2><ul class="cards">${check.rows.map(({ row, code }) => renderRow(row, code, locale))}</ul></section>`}
${
  wrongRows.length > 0 &&
  html`<section><h2>${t(locale, 'app.imports.problems')}</h2><p>${t(locale, 'app.imports.check.errorsText')}</p>
${rest > 0 && html`<p class="small">${t(locale, 'app.imports.check.moreRows', { count: rest })}</p>`}
${renderCorrections({ path, token, header, rows: wrongRows, label: (field) => translateErrorField(field, mapping, locale), locale })}</section>`
}`;
}

/** Render a code as it would be. */
function renderRow(row: number, { kind, title, ...rest }: Record<string, unknown>, locale: Locale): Html {
  const targets = listColumnTargets(typeof kind === 'string' ? kind : null, locale);
  const values = listValues(rest, '');
  return html`<li><div><h3><bdi>${String(title ?? '')}</bdi></h3><p class="small">${t(locale, 'app.imports.rowNumber', { row: String(row) })}${typeof kind === 'string' && html` · ${translateQrCodeKind(locale, kind)}`}</p>
<dl>${values.map(({ value: name, label: text }) => html`<dt class="small">${translateTarget(name, targets)}</dt><dd><bdi>${text}</bdi></dd>`)}</dl></div></li>\n`;
}

function listValues(record: object, path: string): FieldOption[] {
  return Object.entries(record).flatMap(([key, value]): FieldOption[] => {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return listValues(value, name);
    return [{ value: name, label: Array.isArray(value) ? value.join(', ') : String(value) }];
  });
}
