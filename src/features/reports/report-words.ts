import { type Language, say } from '../../shared/languages/language.ts';

/** Names and numbers of a report in one language. */
export type ReportWords = ReturnType<typeof createReportWords>;

/** What is counted of scans: all, those by people, different people. */
export interface Counts {
  total: number;
  humans: number;
  unique: number;
}

/** What a scan was made with, and where. */
interface Circumstances {
  city: string | null;
  country: string | null;
  device: string;
  os: string;
  browser: string;
}

/** The words of a report in a language; dates are those of Europe where it says nothing else. */
export function createReportWords(language: Language) {
  const { report } = language;
  const tag = language.tag === 'en' ? 'en-GB' : language.tag;
  const countries = new Intl.DisplayNames(tag, { type: 'region' });
  const whole = new Intl.NumberFormat(tag);
  const percent = new Intl.NumberFormat(tag, { style: 'percent' });

  const number = (value: number) => whole.format(value);
  const country = (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code);
  const device = (name: string) => wordOf(report.deviceNames, name);

  return {
    language,
    number,
    country,
    device,
    dates: (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
    scanClass: (name: string) => wordOf(report.classNames, name),

    /** Of 'Berlin, DE'. */
    city(value: string): string {
      const [, name, code] = /^(.*), ([A-Z]{2})$/.exec(value) ?? [];
      return name && code ? `${name}, ${country(code)}` : value;
    },

    /** Nothing where the place is not known. */
    place(scan: Circumstances): string {
      return [scan.city, scan.country && country(scan.country)].filter(Boolean).join(', ');
    },

    agent(scan: Circumstances): string {
      const known = [scan.device === 'unknown' ? 'unknown' : device(scan.device), scan.os, scan.browser];
      return known.filter((name) => name !== 'unknown').join(', ') || report.unknown;
    },

    /** How a number differs from the one before it. */
    change(now: number, before: number): string {
      if (before === 0) return now === 0 ? report.noneBeforeEither : report.noneBefore;
      if (now === before) return report.asManyBefore;
      const share = Math.abs(now - before) / before;
      const size = share < 0.005 ? report.aLittle : percent.format(share);
      return say(now > before ? report.upFrom : report.downFrom, { size, before: number(before) });
    },
  };
}

/** All that a row counts, side by side: scans, by people, unique; from 10,000 on as thousands or millions, to three figures. */
export function numbersOf({ total, humans, unique }: Counts, tag: string): string {
  const whole = new Intl.NumberFormat(tag);
  const short = new Intl.NumberFormat(tag, { notation: 'compact', maximumSignificantDigits: 3 });
  return [total, humans, unique]
    .map((number) => (number < 10_000 ? whole : short).format(number))
    .join(' · ');
}

function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
