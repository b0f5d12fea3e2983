import type { Catalogue } from '../../shared/languages/catalogue.ts';
import { type Language, say, sayCount } from '../../shared/languages/language.ts';
import { sayAmount } from '../../shared/languages/money.ts';

type Sentences = Catalogue['notifications'];

/** What people are told about; the names are those in the catalogue of sentences. */
export type NotificationEvent = Exclude<keyof Sentences, `${string}_NEAR`>;

/** What a notification says in a language: its first line, and the rest. */
export interface NotificationWords {
  title: string;
  body: string;
}

/** What stands for an amount or a day that a payment provider did not say. */
const UNKNOWN = '–';

/** Puts what a row holds into words; where a place is known it is named. An event that is none is called as it is. */
export function wordsOf(
  language: Language,
  { event, data }: { event: string; data: Readonly<Record<string, string>> },
): NotificationWords {
  const { notifications } = language;
  const nearby = `${event}_NEAR`;
  const name = data.place !== undefined && Object.hasOwn(notifications, nearby) ? nearby : event;
  if (!Object.hasOwn(notifications, name)) return { title: event, body: '' };
  const { title, body } = notifications[name as NotificationEvent];
  const values = {
    ...data,
    ...placeOf(language, data),
    ...momentsOf(language, data),
    ...paymentOf(language, data),
  };
  const heading = typeof title === 'string' ? title : sayCount(language, title, Number(data.count));
  return { title: say(heading, values), body: say(body, values) };
}

/** How much is paid, for which time and until when, as the language writes it; of other news nothing. */
function paymentOf(language: Language, data: Readonly<Record<string, string>>): Record<string, string> {
  const { amount, currency, at, periodStart, periodEnd, timeZone = 'UTC' } = data;
  if (data.package === undefined) return {};
  const days = new Intl.DateTimeFormat(language.tag, { dateStyle: 'long', timeZone });
  const date = at ? days.format(new Date(at)) : UNKNOWN;
  return {
    date,
    amount: amount && currency ? sayAmount(language, Number(amount), currency) : UNKNOWN,
    period: periodStart && periodEnd ? days.formatRange(new Date(periodStart), new Date(periodEnd)) : date,
  };
}

/** A place as the language names it: of a country there is the code alone (ISO 3166-1 alpha-2). */
function placeOf({ tag }: Language, { place }: Readonly<Record<string, string>>): Record<string, string> {
  if (place === undefined || !/^[A-Z]{2}$/.test(place)) return {};
  return { place: new Intl.DisplayNames(tag, { type: 'region' }).of(place) ?? place };
}

/** The day on which a code ends or of which it is the anniversary, and the time since when a digest tells, as the language writes them. */
function momentsOf({ tag }: Language, data: Readonly<Record<string, string>>): Record<string, string> {
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
