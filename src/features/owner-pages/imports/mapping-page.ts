import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ColumnMapping, CsvTable } from '../../codes/index.ts';
import { renderForm, renderNote, renderOptions, renderSelect } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import {
  isNamedByField,
  LEFT_OUT,
  listColumnTargets,
  OWN_FIELD,
  translateTarget,
} from './column-targets.rules.ts';
import { listKindOptions } from './import-parts.ts';

interface MappingPage {
  path: string;
  token: FormToken;
  table: CsvTable;
  mapping: ColumnMapping;
  /** Of errors of the columns. */
  codes: readonly string[];
  locale: Locale;
}

/** Columns with a choice; further ones are left out, or read by their names. */
const MAX_SHOWN_COLUMNS = 60;

const MAX_EXAMPLE_CHARACTERS = 40;

/** Render the columns of a file with what each is. */
export function renderMappingForm(page: MappingPage): Html {
  const { path, token, table, mapping, locale, codes } = page;
  const kinds = renderSelect({
    name: 'kind',
    label: t(locale, 'app.codes.kind'),
    value: mapping.kind ?? '',
    options: [{ value: '', label: t(locale, 'app.imports.kindColumn') }, ...listKindOptions(locale)],
    script: 'submit-on-change',
  });
  return html`${codes.length > 0 && renderNote(describeErrors(codes, locale), 'wrong')}
<form method="get" action="${path}/columns" class="filters"><div class="search"><div>${kinds}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div></form>
<p>${t(locale, 'app.imports.columns.text')}${isNamedByField(mapping.kind) && html` ${t(locale, 'app.imports.columns.named')}`}</p>
${renderForm({
  action: `${path}/mapping`,
  token,
  className: 'long',
  submit: t(locale, 'app.imports.columns.button'),
  hidden: { kind: mapping.kind ?? '' },
  fields: html`<table class="stack"><thead><tr><th scope="col">${t(locale, 'app.imports.column')}</th><th scope="col">${t(locale, 'app.imports.columns.examples')}</th><th scope="col">${t(locale, 'app.imports.columns.is')}</th></tr></thead><tbody>${table.header
    .slice(0, MAX_SHOWN_COLUMNS)
    .flatMap((label, index) => renderColumn(page, label, index) ?? [])}</tbody></table>`,
})}
${renderForm({ action: `${path}/discard`, token, submit: t(locale, 'app.imports.discard'), kind: 'danger' })}`;
}

function describeErrors(codes: readonly string[], locale: Locale): string {
  if (codes.includes('REPEATED')) return t(locale, 'app.imports.columns.repeated');
  if (codes.includes('REQUIRED')) return t(locale, 'app.imports.columns.required');
  return t(locale, 'app.imports.unreadable');
}

function renderColumn({ table, mapping, locale }: MappingPage, label: string, index: number): Html | null {
  const examples = table.rows.map(({ cells }) => cells[index] ?? '').filter((text) => text.trim() !== '');
  if (label.trim() === '' && examples.length === 0) return null;
  const targets = listColumnTargets(mapping.kind, locale);
  const current = mapping.columns[index] ?? LEFT_OUT;
  const isOwnField = current.startsWith('metadata.');
  const isListed = current === LEFT_OUT || isOwnField || targets.some(({ value }) => value === current);
  const options = [
    { value: LEFT_OUT, label: t(locale, 'app.imports.columns.leaveOut') },
    ...targets,
    { value: OWN_FIELD, label: t(locale, 'app.imports.columns.ownField') },
    // As the header says it.
    ...(isListed ? [] : [{ value: current, label: translateTarget(current, targets) }]),
  ];
  const name = `column-${index}`;
  const text =
    label.trim() === '' ? t(locale, 'app.imports.columns.unnamed', { number: String(index + 1) }) : label;
  return html`<tr><th scope="row"><label for="${name}"><bdi>${text}</bdi></label></th><td class="small">${examples.map(
    (example, at) => html`${at > 0 && html`<br>`}<bdi>${truncate(example)}</bdi>`,
  )}</td><td><select id="${name}" name="${name}">${renderOptions(options, isOwnField ? OWN_FIELD : current)}</select></td></tr>\n`;
}

function truncate(text: string): string {
  return text.length > MAX_EXAMPLE_CHARACTERS ? `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}…` : text;
}
