import { type Html, html } from '../../../shared/html.ts';
import { type Language, sayTerm } from '../../../shared/languages/language.ts';
import type { KindDefinition } from '../../qrcodes/kinds/kind-definition.ts';
import { type FieldSchema, fieldValue } from '../field-value.ts';

/**
 * The fields of a code, in the order of display, within so many bytes of markup: what does not fit is shortened, and
 * the page says so. `without` names fields that the page shows elsewhere.
 */
export function factsSection(
  kind: KindDefinition,
  profile: Readonly<Record<string, unknown>>,
  options: { without: readonly string[]; bytes: number; language: Language },
): Html {
  const { without, language } = options;
  const properties: Readonly<Record<string, FieldSchema>> = kind.schema.properties;
  const facts: Html[] = [];
  let left = options.bytes;
  let isWhole = true;
  for (const [field, value] of Object.entries(profile)) {
    if (without.includes(field)) continue;
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
  return facts.length > 0 ? html`<dl>\n${facts}</dl>\n${note}` : html`${note}`;
}

/** Bytes of markup as it is sent. */
export function bytesOf(part: Html): number {
  return Buffer.byteLength(part.markup);
}

/** As much of a value as fits: a text is cut, a list loses its last items, anything else is all or nothing. */
function fit(
  whole: unknown,
  render: (value: unknown) => Html,
  bytes: number,
): { markup: Html; isWhole: boolean } | null {
  let value = whole;
  for (;;) {
    const markup = render(value);
    const size = bytesOf(markup);
    if (size <= bytes) return { markup, isWhole: value === whole };
    const share = Math.max(0, bytes) / size;
    if (typeof value === 'string') value = cut(value, share);
    else if (Array.isArray(value) && value.length > 1) value = value.slice(0, -1);
    else return null;
    if (value === '') return null;
  }
}

function cut(text: string, share: number): string {
  const characters = [...text];
  const kept = Math.floor(characters.length * share) - 2;
  return kept > 0 ? `${characters.slice(0, kept).join('')}…` : '';
}
