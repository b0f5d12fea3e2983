import type { EventName } from '../event-types.ts';
import { memoize } from '../memoize.ts';
import { formatMessage, isKnownMessageKey } from './format-message.ts';
import { DEFAULT_LOCALE, type Locale } from './locales.ts';
import { formatMoney } from './money.ts';
import { type MessageKey, t } from './translate.ts';

type TitledMessage<Key extends MessageKey = MessageKey> = Key extends `notifications.${infer Name}.title`
  ? Name
  : never;

/** Events with texts; one that the catalogue of events does not have is not a name. */
export type NotificationEventName = Extract<TitledMessage, EventName>;

export interface NotificationText {
  title: string;
  body: string;
}

const UNKNOWN_VALUE = '–';

/** With the name of the zone. */
const MOMENT_STYLE = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

const COUNTRY_NAMES = memoize((tag: string) => new Intl.DisplayNames(tag, { type: 'region' }));

const COUNTRY_CODE_PATTERN = /^[A-Z]{2}$/;

export function translateNotification(
  locale: Locale,
  { event, data }: { event: string; data: Readonly<Record<string, string>> },
): NotificationText {
  const nearby = `notifications.${event}.near`;
  const key =
    data.place !== undefined && isKnownMessageKey(`${nearby}.title`) ? nearby : `notifications.${event}`;
  if (!isKnownMessageKey(`${key}.title`)) return { title: event, body: '' };
  const { count, ...rest } = data;
  const values = {
    ...isolateNames(locale, rest),
    ...(count === undefined ? {} : { count: Number(count) }),
    ...formatPlace(locale, data),
    ...formatDates(locale, data),
    ...formatPayment(locale, data),
    ...formatCategory(locale, data),
  };
  return {
    title: formatMessage(locale, `${key}.title`, values),
    body: formatMessage(locale, `${key}.body`, values),
  };
}

/** Names that others wrote can be in a left-to-right script: keep them from reordering the text around. */
function isolateNames(
  { direction }: Locale,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (direction === 'ltr') return names;
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `\u2068${name}\u2069`]));
}

function formatPayment(locale: Locale, data: Readonly<Record<string, string>>): Record<string, string> {
  const { amount, currency, at, periodStart, periodEnd, timeZone = 'UTC' } = data;
  if (data.package === undefined) return {};
  const days = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone });
  const date = at ? days.format(new Date(at)) : UNKNOWN_VALUE;
  return {
    date,
    ...(data.number === undefined && { number: 'none' }),
    amount: amount && currency ? formatMoney(locale, Number(amount), currency) : UNKNOWN_VALUE,
    period: periodStart && periodEnd ? days.formatRange(new Date(periodStart), new Date(periodEnd)) : date,
  };
}

function formatCategory(
  locale: Locale,
  { category }: Readonly<Record<string, string>>,
): Record<string, string> {
  const key = `moderation.categories.${category}`;
  return isKnownMessageKey(key) ? { category: formatMessage(locale, key) } : {};
}

function nameCountry(tag: string, code: string): string {
  return (COUNTRY_CODE_PATTERN.test(code) ? COUNTRY_NAMES(tag).of(code) : code) ?? code;
}

/** A city or region with its country, or the country alone, also of a city with the same name. */
function formatPlace(
  locale: Locale,
  { place, country }: Readonly<Record<string, string>>,
): Record<string, string> {
  if (place === undefined) return {};
  if (country === undefined)
    return COUNTRY_CODE_PATTERN.test(place) ? { place: nameCountry(locale.tag, place) } : {};
  const name = nameCountry(locale.tag, country);
  // Places offline have their English name.
  const isNamedLikePlace = place === name || place === nameCountry(DEFAULT_LOCALE.tag, country);
  const names = isolateNames(locale, isNamedLikePlace ? { place: name } : { place, country: name });
  return { place: Object.values(names).join(t(locale, 'finder.listSeparator')) };
}

function formatDates({ tag }: Locale, data: Readonly<Record<string, string>>): Record<string, string> {
  const { expiresAt, since, anniversaryOf, timeZone = 'UTC' } = data;
  const write = (moment: string, style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...style, timeZone }).format(new Date(moment));
  return {
    ...(expiresAt ? { date: write(expiresAt, { dateStyle: 'long' }) } : {}),
    ...(anniversaryOf
      ? {
          date: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
            new Date(anniversaryOf),
          ),
        }
      : {}),
    ...(since ? { time: write(since, MOMENT_STYLE) } : {}),
  };
}
