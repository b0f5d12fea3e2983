import { onceEach } from './once-each.ts';

/** How numbers, days, moments and the names of countries and languages are written in each language of the service. */
export const FORMATS = {
  number: onceEach((tag: string) => new Intl.NumberFormat(tag, { maximumFractionDigits: 7 })),
  day: onceEach((tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })),
  month: onceEach(
    (tag: string) => new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  ),
  year: onceEach((tag: string) => new Intl.DateTimeFormat(tag, { year: 'numeric', timeZone: 'UTC' })),
  moment: onceEach(
    (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }),
  ),
  country: onceEach((tag: string) => new Intl.DisplayNames(tag, { type: 'region' })),
  language: onceEach((tag: string) => new Intl.DisplayNames(tag, { type: 'language' })),
};
