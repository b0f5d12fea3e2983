import { type Html, html } from '../../shared/html.ts';
import { formatMessage, isKnownMessageKey } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { memoize } from '../../shared/memoize.ts';

export const INTL_FORMATTERS = {
  // Years have no separator.
  number: memoize(
    (tag: string) => new Intl.NumberFormat(tag, { maximumFractionDigits: 7, useGrouping: 'min2' }),
  ),
  kilogram: memoize((tag: string) => new Intl.NumberFormat(tag, { style: 'unit', unit: 'kilogram' })),
  centimeter: memoize((tag: string) => new Intl.NumberFormat(tag, { style: 'unit', unit: 'centimeter' })),
  day: memoize((tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })),
  month: memoize(
    (tag: string) => new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  ),
  year: memoize((tag: string) => new Intl.DateTimeFormat(tag, { year: 'numeric', timeZone: 'UTC' })),
  moment: memoize(
    (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }),
  ),
  fullDay: memoize((tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' })),
  country: memoize((tag: string) => new Intl.DisplayNames(tag, { type: 'region' })),
  language: memoize((tag: string) => new Intl.DisplayNames(tag, { type: 'language' })),
};

export function renderIsoDate(value: string, tag: string): Html {
  return renderTime(value, `${value}T00:00:00Z`, INTL_FORMATTERS.day(tag));
}

export function renderPartialDate(value: string, tag: string): Html {
  const [rest, format] =
    value.length === 4
      ? ['-01-01', INTL_FORMATTERS.year]
      : value.length === 7
        ? ['-01', INTL_FORMATTERS.month]
        : ['', INTL_FORMATTERS.day];
  return renderTime(value, `${value}${rest}T00:00:00Z`, format(tag));
}

/** Render a timestamp in its own UTC offset. */
export function renderDateTime(value: string, tag: string): Html {
  const time = renderTime(value, toWallTime(value), INTL_FORMATTERS.moment(tag));
  return html`${time} (${formatUtcOffset(value)})`;
}

/** Render the time of an event, without what its start and its end have in common; null where they do not fit together. */
export function renderEventTime(
  { startsAt, endsAt, allDay }: { startsAt?: unknown; endsAt?: unknown; allDay?: unknown },
  tag: string,
): Html | null {
  if (typeof startsAt !== 'string' || (endsAt !== undefined && typeof endsAt !== 'string')) return null;
  const offset = formatUtcOffset(startsAt);
  if (endsAt !== undefined && formatUtcOffset(endsAt) !== offset) return null;
  const [start, end] = [startsAt, endsAt ?? startsAt].map((value) => new Date(toWallTime(value)));
  if (!start || !end || !(start <= end)) return null;
  const format = allDay === true ? INTL_FORMATTERS.fullDay(tag) : INTL_FORMATTERS.moment(tag);
  const range = format.formatRange(start, end);
  return allDay === true ? html`${range}` : html`${range} (${offset})`;
}

/** The local time of a timestamp, as if it were that of UTC. */
function toWallTime(value: string): string {
  return `${value.slice(0, 19)}Z`;
}

function formatUtcOffset(value: string): string {
  const offset = value.slice(19).replace(/^\.\d+/, '');
  return `UTC${/^[zZ]$/.test(offset) ? '' : offset}`;
}

function renderTime(value: string, wallTime: string, format: Intl.DateTimeFormat): Html {
  const at = new Date(wallTime);
  if (Number.isNaN(at.getTime())) return html`${value}`;
  return html`<time datetime="${value}">${format.format(at)}</time>`;
}

/** Render a time in the time zone of its reader. */
export function renderMoment(at: Date, timeZone: string, { tag }: Locale): Html {
  const format = new Intl.DateTimeFormat(tag, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return html`<time datetime="${at.toISOString()}">${format.format(at)}</time>`;
}

/** @param meters radius of the circle that the position is in */
export function formatAccuracy(meters: number, locale: Locale): string {
  const isShort = meters < 1_000;
  const format = new Intl.NumberFormat(locale.tag, {
    style: 'unit',
    unit: isShort ? 'meter' : 'kilometer',
    maximumSignificantDigits: 2,
  });
  return t(locale, 'ownerLink.accuracy', {
    distance: format.format(isShort ? Math.max(1, meters) : meters / 1_000),
  });
}

export interface FieldTranslationContext {
  kind: string;
  locale: Locale;
}

export function translateQrCodeKind(locale: Locale, kind: string): string {
  return formatMessage(locale, `kinds.${kind}`);
}

export function translateFieldName({ kind, locale }: FieldTranslationContext, field: string): string {
  const key = `fields.${field}`;
  return isKnownMessageKey(key) ? formatMessage(locale, key, { kind }) : field;
}

/** Values without a message, such as blood types, are returned unchanged. */
export function translateEnumValue({ kind, locale }: FieldTranslationContext, value: string): string {
  const key = `values.${value}`;
  return isKnownMessageKey(key) ? formatMessage(locale, key, { kind }) : value;
}

/** Render a mailto link (RFC 6068). */
export function renderMailtoLink(address: string): Html {
  return html`<a href="mailto:${encodeURIComponent(address).replace('%40', '@')}">${address}</a>`;
}

/** Render a link to an http or https URL; anything else stays text. */
export function renderWebLink(address: string): Html {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return html`${address}`;
  return html`<a href="${new URL(address).href}" rel="noopener noreferrer nofollow">${address}</a>`;
}
