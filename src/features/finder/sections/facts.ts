import { type Html, html } from '../../../shared/html.ts';
import { type Language, sayTerm } from '../../../shared/languages/language.ts';
import type { KindDefinition } from '../../qrcodes/kinds/kind-definition.ts';
import { type FieldSchema, fieldValue } from '../field-value.ts';
import { bytesOf, fit } from '../fit.ts';

/**
 * Fields of a code, in the order of display, within so many bytes of markup: what does not fit is shortened, and the
 * page says so. Null where there are none.
 */
export function factsSection(
  kind: KindDefinition,
  fields: Readonly<Record<string, unknown>>,
  options: { bytes: number; language: Language },
): Html | null {
  const { language } = options;
  const properties: Readonly<Record<string, FieldSchema>> = kind.schema.properties;
  const facts: Html[] = [];
  let left = options.bytes;
  let isWhole = true;
  for (const [field, value] of Object.entries(fields)) {
    const schema = properties[field] ?? {};
    const render = (part: unknown) =>
      html`<dt>${sayTerm(language, schema.title ?? field)}</dt><dd>${fieldValue(part, schema, language)}</dd>\n`;
    const fitting = fit(value, render, left);
    isWhole &&= fitting?.isWhole === true;
    if (!fitting) continue;
    facts.push(fitting.markup);
    left -= bytesOf(fitting.markup);
  }
  const note = isWhole ? null : html`<p>${language.finder.shortened}</p>`;
  return facts.length > 0 ? html`<dl>\n${facts}</dl>\n${note}` : note;
}
