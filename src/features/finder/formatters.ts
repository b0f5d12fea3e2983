import { memoize } from '../../shared/memoize.ts';

export const FORMATTERS = {
  number: memoize((tag: string) => new Intl.NumberFormat(tag, { maximumFractionDigits: 7 })),
  day: memoize((tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })),
  month: memoize(
    (tag: string) => new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  ),
  year: memoize((tag: string) => new Intl.DateTimeFormat(tag, { year: 'numeric', timeZone: 'UTC' })),
  moment: memoize(
    (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }),
  ),
  country: memoize((tag: string) => new Intl.DisplayNames(tag, { type: 'region' })),
  language: memoize((tag: string) => new Intl.DisplayNames(tag, { type: 'language' })),
};
