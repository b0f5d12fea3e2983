import { formatMessage, hasMessage } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';

/** Kind and locale, which the translation depends on. */
export interface FieldContext {
  kind: string;
  locale: Locale;
}

export function translateKind(locale: Locale, kind: string): string {
  return formatMessage(locale, `kinds.${kind}`);
}

/** Translate the name of a field; that of an item of a list is `<field>.item`. */
export function translateField({ kind, locale }: FieldContext, field: string): string {
  const key = `fields.${field}`;
  return hasMessage(key) ? formatMessage(locale, key, { kind }) : field;
}

/** Translate an enumeration value; values without a message, such as blood types, stay. */
export function translateValue({ kind, locale }: FieldContext, value: string): string {
  const key = `values.${value}`;
  return hasMessage(key) ? formatMessage(locale, key, { kind }) : value;
}
