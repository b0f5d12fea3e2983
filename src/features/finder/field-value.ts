import { type Html, html } from '../../shared/html.ts';
import { type Language, sayTerm } from '../../shared/languages/language.ts';
import { dialable } from '../qrcodes/kinds/field-rules.ts';
import { email, phone, webUrl } from '../qrcodes/kinds/field-types.ts';

/** What of a field's JSON Schema says how its value is read. */
export interface FieldSchema {
  type?: string;
  title?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, FieldSchema>>;
  items?: FieldSchema;
}

const { pattern: PHONE }: FieldSchema = phone();
const { format: EMAIL }: FieldSchema = email();
const { pattern: WEB_URL }: FieldSchema = webUrl('', '');
const COUNTRY = '^[A-Z]{2}$';

/** A value of a code as markup: phones and addresses as links, dates and words in the finder's language. */
export function fieldValue(value: unknown, schema: FieldSchema, language: Language): Html {
  if (Array.isArray(value)) return list(value, schema.items ?? {}, language);
  if (typeof value === 'object' && value !== null)
    return group(new Map(Object.entries(value)), schema, language);
  const { finder, tag } = language;
  if (typeof value === 'boolean') return html`${value ? finder.yes : finder.no}`;
  if (typeof value === 'number')
    return html`${new Intl.NumberFormat(tag, { maximumFractionDigits: 7 }).format(value)}`;
  return typeof value === 'string' ? text(value, schema, language) : html``;
}

function list(values: readonly unknown[], schema: FieldSchema, language: Language): Html {
  return html`<ul>${values.map((value) => html`<li>${fieldValue(value, schema, language)}</li>`)}</ul>`;
}

/** The parts in the order of the schema; what a date means is said with it. */
function group(parts: ReadonlyMap<string, unknown>, schema: FieldSchema, language: Language): Html {
  const shown = Object.entries(schema.properties ?? {}).filter(([name]) => parts.has(name));
  const markup = shown.map(([name, part]) => {
    const value = fieldValue(parts.get(name), part, language);
    return part.format === 'date' ? html`${sayTerm(language, part.title ?? name)}: ${value}` : value;
  });
  return { markup: markup.map((part) => part.markup).join(', ') };
}

function text(value: string, schema: FieldSchema, { tag, words }: Language): Html {
  if (schema.pattern === PHONE) return html`<a class="act" href="tel:${dialable(value)}">${value}</a>`;
  if (schema.format === EMAIL)
    return html`<a class="act" href="mailto:${encodeURIComponent(value).replace('%40', '@')}">${value}</a>`;
  if (schema.pattern === WEB_URL) return webLink(value);
  if (schema.format === 'date') return time(value, `${value}T00:00:00Z`, { dateStyle: 'long' }, tag);
  if (schema.format === 'date-time') return moment(value, tag);
  if (schema.pattern === COUNTRY) return html`${new Intl.DisplayNames(tag, { type: 'region' }).of(value)}`;
  if (schema.enum) return html`${Object.entries(words).find(([word]) => word === value)?.[1] ?? value}`;
  return html`${value}`;
}

/** http and https alone: whatever else is stored stays text. */
function webLink(value: string): Html {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return html`${value}`;
  return html`<a href="${new URL(value).href}" rel="noopener noreferrer nofollow">${value}</a>`;
}

/** A moment as the clocks show it where it happens: its own offset is kept. */
function moment(value: string, tag: string): Html {
  const [, wall = value, offset = ''] = /^(.{19})(?:\.\d+)?(.*)$/.exec(value) ?? [];
  const shown = time(value, `${wall}Z`, { dateStyle: 'full', timeStyle: 'short' }, tag);
  return html`${shown} (UTC${/^[zZ]$/.test(offset) ? '' : offset})`;
}

function time(value: string, wall: string, style: Intl.DateTimeFormatOptions, tag: string): Html {
  const at = new Date(wall);
  if (Number.isNaN(at.getTime())) return html`${value}`;
  const shown = new Intl.DateTimeFormat(tag, { ...style, timeZone: 'UTC' }).format(at);
  return html`<time datetime="${value}">${shown}</time>`;
}
