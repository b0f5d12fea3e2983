import { type Html, html } from '../../shared/html.ts';
import { t, translateHtml } from '../../shared/i18n/translate.ts';
import { toTelUri } from '../../shared/phone.ts';
import {
  ALLERGIC_REACTION_SEVERITIES,
  createEmailFieldSchema,
  createLanguageTagFieldSchema,
  createPhoneFieldSchema,
  createWebUrlFieldSchema,
} from '../codes/index.ts';
import {
  type FieldTranslationContext,
  INTL_FORMATTERS,
  renderDateTime,
  renderIsoDate,
  renderMailtoLink,
  renderPartialDate,
  renderWebLink,
  translateEnumValue,
  translateFieldName,
} from './formatters.ts';

export interface ProfileFieldSchema {
  type?: string;
  title?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, ProfileFieldSchema>>;
  items?: ProfileFieldSchema;
}

const { format: PHONE_FORMAT }: ProfileFieldSchema = createPhoneFieldSchema();
const { format: EMAIL_FORMAT }: ProfileFieldSchema = createEmailFieldSchema();
const { pattern: WEB_URL_PATTERN }: ProfileFieldSchema = createWebUrlFieldSchema('', '');
const { pattern: LANGUAGE_TAG_PATTERN }: ProfileFieldSchema = createLanguageTagFieldSchema();
const COUNTRY_CODE_PATTERN = '^[A-Z]{2}$';

const CRITICAL_SEVERITIES: readonly string[] = ['SEVERE', 'LIFE_THREATENING'];

/** Whether a text can be truncated: part of an address or a number would be a different one. */
export function canTruncateFieldText({ pattern, format, enum: values }: ProfileFieldSchema): boolean {
  const isFormatted =
    pattern !== undefined && [WEB_URL_PATTERN, COUNTRY_CODE_PATTERN, LANGUAGE_TAG_PATTERN].includes(pattern);
  return !isFormatted && format === undefined && values === undefined;
}

export function renderProfileFieldValue(
  value: unknown,
  schema: ProfileFieldSchema,
  context: FieldTranslationContext,
): Html {
  if (Array.isArray(value)) return renderList(value, schema.items ?? {}, context);
  if (typeof value === 'object' && value !== null)
    return renderGroup(new Map(Object.entries(value)), schema, context);
  const { locale } = context;
  if (typeof value === 'boolean') return html`${value ? t(locale, 'finder.yes') : t(locale, 'finder.no')}`;
  if (typeof value === 'number') return html`${INTL_FORMATTERS.number(locale.tag).format(value)}`;
  return typeof value === 'string' ? renderText(value, schema, context) : html``;
}

function renderList(
  values: readonly unknown[],
  schema: ProfileFieldSchema,
  context: FieldTranslationContext,
): Html {
  return html`<ul>${values.map((value) => html`<li>${renderProfileFieldValue(value, schema, context)}</li>`)}</ul>`;
}

/** Codings for machines are left out. */
function renderGroup(
  parts: ReadonlyMap<string, unknown>,
  schema: ProfileFieldSchema,
  context: FieldTranslationContext,
): Html {
  const { locale } = context;
  const { name, severity, coding, ...others } = schema.properties ?? {};
  const ordered = Object.entries({ name, severity, ...others });
  const presentParts = ordered.flatMap(([key, part]) =>
    part && parts.has(key) ? [[key, part] as const] : [],
  );
  const markup = presentParts.map(([key, part]) => {
    const value = renderProfileFieldValue(parts.get(key), part, context);
    const isFramed = part.enum !== undefined && isCriticalSeverity(parts.get(key));
    if (key === 'name') return { part: html`<b>${value}</b>`, isFramed };
    if (key === 'since') return { part: translateHtml(locale, 'finder.since', { date: value }), isFramed };
    return part.format?.endsWith('date')
      ? {
          part: html`${translateFieldName(context, key)}${t(locale, 'finder.labelSeparator')}${value}`,
          isFramed,
        }
      : { part: value, isFramed };
  });
  // Without isolation, parts of different text direction would swap places. The block takes the page's direction, as
  // a list item without text outside of isolates would run from left to right.
  const separator = t(locale, 'finder.listSeparator');
  // A comma after the frame of a severity would begin the next line.
  const hidden = html`<span class="visually-hidden">${separator}</span> `.markup;
  const line = markup
    .map(({ part, isFramed }, index) => {
      const after = isFramed ? hidden : separator;
      return `${html`<bdi>${part}</bdi>`.markup}${index < markup.length - 1 ? after : ''}`;
    })
    .join('');
  return html`<div>${{ markup: line }}</div>`;
}

function renderText(value: string, schema: ProfileFieldSchema, context: FieldTranslationContext): Html {
  const { tag } = context.locale;
  if (schema.format === PHONE_FORMAT) return html`<a href="${toTelUri(value)}">${value}</a>`;
  if (schema.format === EMAIL_FORMAT) return renderMailtoLink(value);
  if (schema.pattern === WEB_URL_PATTERN) return renderWebLink(value);
  if (schema.format === 'date') return renderIsoDate(value, tag);
  if (schema.format === 'partial-date') return renderPartialDate(value, tag);
  if (schema.format === 'date-time') return renderDateTime(value, tag);
  if (schema.pattern === COUNTRY_CODE_PATTERN) return html`${INTL_FORMATTERS.country(tag).of(value)}`;
  if (schema.pattern === LANGUAGE_TAG_PATTERN) return html`${formatLanguageName(value, tag)}`;
  return schema.enum ? renderEnumValue(value, context) : html`${value}`;
}

const BLOOD_TYPE_PATTERN = /^(O|A|B|AB)([+-])$/;

/** In words besides the sign, which is easily overlooked. */
function renderBloodType(group: string, isPositive: boolean, { locale }: FieldTranslationContext): Html {
  const type = html`<bdi dir="ltr">${group}${isPositive ? '+' : '\u2212'}</bdi>`;
  return translateHtml(locale, isPositive ? 'finder.bloodPositive' : 'finder.bloodNegative', { type });
}

/** It is rendered in a frame. */
function isCriticalSeverity(value: unknown): boolean {
  return CRITICAL_SEVERITIES.some((one) => one === value);
}

/** Critical severities are marked without relying on color. */
function renderEnumValue(value: string, context: FieldTranslationContext): Html {
  const [, group, factor] = BLOOD_TYPE_PATTERN.exec(value) ?? [];
  if (group) return html`<b>${renderBloodType(group, factor === '+', context)}</b>`;
  const label = translateEnumValue(context, value);
  if (!isCriticalSeverity(value))
    return ALLERGIC_REACTION_SEVERITIES.some((one) => one === value) ? html`<b>${label}</b>` : html`${label}`;
  return html`<strong class="grave"><span aria-hidden="true">⚠</span> ${label}</strong>`;
}

function formatLanguageName(value: string, tag: string): string {
  try {
    return INTL_FORMATTERS.language(tag).of(value) ?? value;
  } catch {
    return value;
  }
}

export function countMarkupBytes(part: Html): number {
  return Buffer.byteLength(part.markup);
}

/** Render as much of a value as fits: texts are cut, lists lose their last items, other values are left out. */
export function renderWithinBytes<Value>(
  whole: Value,
  render: (value: Value) => Html,
  bytes: number,
  canTruncateText = true,
): { markup: Html; value: Value; isWhole: boolean } | null {
  let value: unknown = whole;
  for (;;) {
    // A truncated text or list has the same type.
    const part = value as Value;
    const markup = render(part);
    const size = countMarkupBytes(markup);
    if (size <= bytes) return { markup, value: part, isWhole: value === whole };
    const share = Math.max(0, bytes) / size;
    if (typeof value === 'string' && canTruncateText) value = truncateText(value, share);
    else if (Array.isArray(value) && value.length > 1)
      value = value.slice(0, Math.max(1, Math.min(value.length - 1, Math.floor(value.length * share))));
    else return null;
    if (value === '') return null;
  }
}

function truncateText(text: string, share: number): string {
  const characters = [...text];
  const maxCharacters = Math.floor(characters.length * share) - 2;
  return maxCharacters > 0 ? `${characters.slice(0, maxCharacters).join('')}…` : '';
}
