import { formatMessage, isKnownMessageKey } from '../../../shared/i18n/format-message.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';

export type ScanReportFormatter = ReturnType<typeof createScanReportFormatter>;

export interface ScanReportCounts {
  total: number;
  humans: number;
  unique: number;
}

const MIN_PERCENT_BASE = 10;

interface ScanContext {
  city: string | null;
  country: string | null;
  device: string;
  os: string;
  browser: string;
}

/** English dates are British. */
export function createScanReportFormatter(locale: Locale) {
  const tag = locale.tag === 'en' ? 'en-GB' : locale.tag;
  const countries = new Intl.DisplayNames(tag, { type: 'region' });
  const whole = new Intl.NumberFormat(tag);
  const percent = new Intl.NumberFormat(tag, { style: 'percent' });
  const separator = t(locale, 'finder.listSeparator');

  const number = (value: number) => whole.format(value);
  const country = (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code);
  const device = (name: string) => translateName(locale, 'deviceNames', name);

  return {
    locale,
    number,
    country,
    device,
    dates: (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
    scanClass: (name: string) => translateName(locale, 'classNames', name),

    city(value: string): string {
      const [, name, code] = /^(.*), ([A-Z]{2})$/.exec(value) ?? [];
      return name && code ? `${name}, ${country(code)}` : value;
    },

    place(scan: ScanContext): string {
      return [scan.city, scan.country && country(scan.country)].filter(Boolean).join(separator);
    },

    agent(scan: ScanContext): string {
      const known = [scan.device === 'unknown' ? 'unknown' : device(scan.device), scan.os, scan.browser];
      return known.filter((name) => name !== 'unknown').join(separator) || t(locale, 'report.unknown');
    },

    /** `days` of the period and of the one before; null where it has no whole days. */
    change(now: number, before: number, days: number | null): string {
      if (before === 0)
        return now === 0 ? t(locale, 'report.changeNoneInEither') : t(locale, 'report.changeNoneInPrevious');
      if (now === before)
        return days === null ? t(locale, 'report.changeNone') : t(locale, 'report.changeNoneDays', { days });
      const size = formatDifference(Math.abs(now - before), before);
      if (days !== null)
        return t(locale, now > before ? 'report.changeUpDays' : 'report.changeDownDays', {
          size,
          before,
          days,
        });
      return t(locale, now > before ? 'report.changeUp' : 'report.changeDown', { size, before });
    },
  };

  /** A percentage of a small number would mislead. */
  function formatDifference(difference: number, before: number): string {
    if (before < MIN_PERCENT_BASE) return number(difference);
    const share = difference / before;
    return share < 0.005 ? t(locale, 'report.changeSlight') : percent.format(share);
  }
}

function translateName(locale: Locale, area: 'classNames' | 'deviceNames', name: string): string {
  const key = `report.${area}.${name}`;
  return isKnownMessageKey(key) ? formatMessage(locale, key) : name;
}
