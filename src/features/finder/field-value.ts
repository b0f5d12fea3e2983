import { type Html, html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { dialable } from '../qrcodes/kinds/field-rules.ts';
import { email, languageTag, phone, webUrl } from '../qrcodes/kinds/field-types.ts';
import { SEVERITIES } from '../qrcodes/kinds/health-fields.ts';
import { dayOf, momentOf } from './dates.ts';
import { FORMATS } from './formats.ts';
import { mailLink, webLink } from './links.ts';
import { type FieldContext, translateField, translateValue } from './translate-field.ts';

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
const { pattern: LANGUAGE }: FieldSchema = languageTag();
const COUNTRY = '^[A-Z]{2}$';

/** Severities of a reaction that must not be overlooked. */
const GRAVE: readonly string[] = ['SEVERE', 'LIFE_THREATENING'];

/** Whether a text is only text: part of an address or of a number would be another one. */
export function isPlainText({ pattern, format, enum: values }: FieldSchema): boolean {
  const isRead = pattern !== undefined && [PHONE, WEB_URL, COUNTRY, LANGUAGE].includes(pattern);
  return !isRead && format === undefined && values === undefined;
}

/** A value of a code as markup: phones and addresses as links, dates and enumerations translated. */
export function fieldValue(value: unknown, schema: FieldSchema, context: FieldContext): Html {
  if (Array.isArray(value)) return list(value, schema.items ?? {}, context);
  if (typeof value === 'object' && value !== null)
    return group(new Map(Object.entries(value)), schema, context);
  const { locale } = context;
  if (typeof value === 'boolean') return html`${value ? t(locale, 'finder.yes') : t(locale, 'finder.no')}`;
  if (typeof value === 'number') return html`${FORMATS.number(locale.tag).format(value)}`;
  return typeof value === 'string' ? text(value, schema, context) : html``;
}

function list(values: readonly unknown[], schema: FieldSchema, context: FieldContext): Html {
  return html`<ul>${values.map((value) => html`<li>${fieldValue(value, schema, context)}</li>`)}</ul>`;
}

/**
 * The parts in the order of the schema: in bold what it is about, directly after it how bad that is; what a date means is
 * said with it. Codes for machines are not for people.
 */
function group(parts: ReadonlyMap<string, unknown>, schema: FieldSchema, context: FieldContext): Html {
  const { locale } = context;
  const { name, severity, coding, ...others } = schema.properties ?? {};
  const ordered = Object.entries({ name, severity, ...others });
  const shown = ordered.flatMap(([key, part]) => (part && parts.has(key) ? [[key, part] as const] : []));
  const markup = shown.map(([key, part]) => {
    const value = fieldValue(parts.get(key), part, context);
    if (key === 'name') return html`<b>${value}</b>`;
    return part.format === 'date'
      ? html`${translateField(context, key)}${t(locale, 'finder.labelSeparator')}${value}`
      : value;
  });
  // Parts of different directions of writing would change places with each other.
  return {
    markup: markup.map((part) => html`<bdi>${part}</bdi>`.markup).join(t(locale, 'finder.listSeparator')),
  };
}

function text(value: string, schema: FieldSchema, context: FieldContext): Html {
  const { tag } = context.locale;
  if (schema.pattern === PHONE) return html`<a href="tel:${dialable(value)}">${value}</a>`;
  if (schema.format === EMAIL) return mailLink(value);
  if (schema.pattern === WEB_URL) return webLink(value);
  if (schema.format === 'date') return dayOf(value, tag);
  if (schema.format === 'date-time') return momentOf(value, tag);
  if (schema.pattern === COUNTRY) return html`${FORMATS.country(tag).of(value)}`;
  if (schema.pattern === LANGUAGE) return html`${nameOfLanguage(value, tag)}`;
  return schema.enum ? enumValue(value, context) : html`${value}`;
}

/** Severities are in bold; one that matters is seen without colours, too. */
function enumValue(value: string, context: FieldContext): Html {
  const label = translateValue(context, value);
  if (!GRAVE.includes(value))
    return SEVERITIES.some((one) => one === value) ? html`<b>${label}</b>` : html`${label}`;
  return html`<strong class="grave"><span aria-hidden="true">⚠</span> ${label}</strong>`;
}

/** A language by its name; what is no language stays as it is. */
function nameOfLanguage(value: string, tag: string): string {
  try {
    return FORMATS.language(tag).of(value) ?? value;
  } catch {
    return value;
  }
}
