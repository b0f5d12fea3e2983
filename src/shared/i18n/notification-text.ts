import { formatMessage, hasMessage } from './format-message.ts';
import type { Locale } from './locales.ts';
import { formatMoney } from './money.ts';
import type { MessageKey } from './translate.ts';

type TitledMessage<Key extends MessageKey = MessageKey> = Key extends `notifications.${infer Name}.title`
  ? Name
  : never;

/** An event that users are notified of, as its messages are called. */
export type NotificationEvent = Exclude<TitledMessage, `${string}_NEAR`>;

/** A notification in one language. */
export interface NotificationText {
  title: string;
  body: string;
}

/** Shown for an amount or a day that the payment provider did not give. */
const UNKNOWN_VALUE = '–';

/** Translate a notification; with its place where that is known. An unknown event is its own title. */
export function translateNotification(
  locale: Locale,
  { event, data }: { event: string; data: Readonly<Record<string, string>> },
): NotificationText {
  const nearby = `notifications.${event}_NEAR`;
  const key = data.place !== undefined && hasMessage(`${nearby}.title`) ? nearby : `notifications.${event}`;
  if (!hasMessage(`${key}.title`)) return { title: event, body: '' };
  const { count, ...rest } = data;
  const values = {
    ...rest,
    ...(count === undefined ? {} : { count: Number(count) }),
    ...formatPlace(locale, data),
    ...formatDates(locale, data),
    ...formatPayment(locale, data),
  };
  return {
    title: formatMessage(locale, `${key}.title`, values),
    body: formatMessage(locale, `${key}.body`, values),
  };
}

/** How much is paid, for which time and until when, as the language writes it; of other news nothing. */
function formatPayment(locale: Locale, data: Readonly<Record<string, string>>): Record<string, string> {
  const { amount, currency, at, periodStart, periodEnd, timeZone = 'UTC' } = data;
  if (data.package === undefined) return {};
  const days = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone });
  const date = at ? days.format(new Date(at)) : UNKNOWN_VALUE;
  return {
    date,
    amount: amount && currency ? formatMoney(locale, Number(amount), currency) : UNKNOWN_VALUE,
    period: periodStart && periodEnd ? days.formatRange(new Date(periodStart), new Date(periodEnd)) : date,
  };
}

/** A place as the language names it: of a country there is the code alone (ISO 3166-1 alpha-2). */
function formatPlace({ tag }: Locale, { place }: Readonly<Record<string, string>>): Record<string, string> {
  if (place === undefined || !/^[A-Z]{2}$/.test(place)) return {};
  return { place: new Intl.DisplayNames(tag, { type: 'region' }).of(place) ?? place };
}

/** The day on which a code ends or of which it is the anniversary, and the time since when a digest tells, as the language writes them. */
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
    ...(since ? { time: write(since, { dateStyle: 'medium', timeStyle: 'short' }) } : {}),
  };
}
