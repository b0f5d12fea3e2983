import { formatMessage, hasMessage } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';

/** Where a field is shown: the kind of the code, which some names and values depend on, and the reader's locale. */
export interface FieldContext {
  kind: string;
  locale: Locale;
}

/** Translate the name of a kind of code. */
export function translateKind(locale: Locale, kind: string): string {
  return formatMessage(locale, `kinds.${kind}`);
}

/** Translate the name of a field; that of an item of a list is `<field>.item`. */
export function translateField({ kind, locale }: FieldContext, field: string): string {
  const key = `fields.${field}`;
  return hasMessage(key) ? formatMessage(locale, key, { kind }) : field;
}

/** Translate a value of an enumeration; one without a message, such as a blood type, is the same everywhere. */
export function translateValue({ kind, locale }: FieldContext, value: string): string {
  const key = `values.${value}`;
  return hasMessage(key) ? formatMessage(locale, key, { kind }) : value;
}
