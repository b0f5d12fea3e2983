import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { KindDefinition } from '../../codes/index.ts';
import { type FieldSchema, isPlainTextField, renderFieldValue } from '../field-value.ts';
import { translateField } from '../translate-field.ts';
import { countMarkupBytes, truncateToFit } from '../truncate-to-fit.ts';

/** Render the fields of a code within a number of bytes, with a note if something was truncated. */
export function renderFactsSection(
  kind: KindDefinition,
  fields: Readonly<Record<string, unknown>>,
  options: { bytes: number; locale: Locale },
): Html | null {
  const { locale } = options;
  const context = { kind: kind.kind, locale };
  const properties: Readonly<Record<string, FieldSchema>> = kind.schema.properties;
  const facts: Html[] = [];
  let remainingBytes = options.bytes;
  let isWhole = true;
  for (const [field, unsorted] of Object.entries(fields)) {
    const value = sortBySeverity(unsorted);
    const schema = properties[field] ?? {};
    const render = (part: unknown) =>
      html`<dt>${translateField(context, field)}</dt><dd>${renderFieldValue(part, schema, context)}</dd>\n`;
    const truncated = truncateToFit(value, render, remainingBytes, isPlainTextField(schema));
    isWhole &&= truncated?.isWhole === true;
    if (!truncated) continue;
    facts.push(truncated.markup);
    remainingBytes -= countMarkupBytes(truncated.markup);
  }
  const note = isWhole ? null : html`<p>${t(locale, 'finder.truncated')}</p>`;
  return facts.length > 0 ? html`<dl>\n${facts}</dl>\n${note}` : note;
}

/** An unknown severity may be either and comes between. */
const SEVERITY_ORDER: readonly unknown[] = ['LIFE_THREATENING', 'SEVERE', undefined, 'MODERATE', 'MILD'];

/** Sort a list with the most severe first, because its end may be truncated. */
function sortBySeverity(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const rank = (item: unknown) => {
    const { severity } = Object(item);
    return SEVERITY_ORDER.indexOf(severity);
  };
  return value.toSorted((one, other) => rank(one) - rank(other));
}
