import { parseAcceptLanguage } from './choose-locale.ts';

/** For who has not chosen one; the time zone is shown with each time. */
const DEFAULT_TIME_ZONE = 'UTC';

/** Countries where nearly everybody has the same time. The names are current ones, which PostgreSQL knows, too. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  AE: 'Asia/Dubai',
  AR: 'America/Argentina/Buenos_Aires',
  AT: 'Europe/Vienna',
  BE: 'Europe/Brussels',
  BG: 'Europe/Sofia',
  CH: 'Europe/Zurich',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CO: 'America/Bogota',
  CZ: 'Europe/Prague',
  DE: 'Europe/Berlin',
  DK: 'Europe/Copenhagen',
  EG: 'Africa/Cairo',
  ES: 'Europe/Madrid',
  FI: 'Europe/Helsinki',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  GR: 'Europe/Athens',
  HK: 'Asia/Hong_Kong',
  HU: 'Europe/Budapest',
  IE: 'Europe/Dublin',
  IL: 'Asia/Jerusalem',
  IN: 'Asia/Kolkata',
  IT: 'Europe/Rome',
  JP: 'Asia/Tokyo',
  KR: 'Asia/Seoul',
  MA: 'Africa/Casablanca',
  NL: 'Europe/Amsterdam',
  NO: 'Europe/Oslo',
  NZ: 'Pacific/Auckland',
  PE: 'America/Lima',
  PL: 'Europe/Warsaw',
  PT: 'Europe/Lisbon',
  RO: 'Europe/Bucharest',
  SA: 'Asia/Riyadh',
  SE: 'Europe/Stockholm',
  SG: 'Asia/Singapore',
  SK: 'Europe/Bratislava',
  TR: 'Europe/Istanbul',
  TW: 'Asia/Taipei',
  UA: 'Europe/Kyiv',
  ZA: 'Africa/Johannesburg',
};

/** Languages whose speakers mostly have the same time, with a country that has it. */
const COUNTRIES: Readonly<Record<string, string>> = {
  de: 'DE',
  he: 'IL',
  hi: 'IN',
  it: 'IT',
  ja: 'JP',
  nl: 'NL',
  pl: 'PL',
  tr: 'TR',
  uk: 'UA',
  zh: 'CN',
};

/** Guess the time zone by the preferred language of a browser, such as `de-AT`; UTC where it says too little. */
export function guessTimeZone(acceptLanguage: string | undefined): string {
  const [preferred = ''] = parseAcceptLanguage(acceptLanguage);
  const [language = '', ...subtags] = preferred.toLowerCase().split('-');
  const region = subtags.find((subtag) => /^[a-z]{2}$/.test(subtag))?.toUpperCase() ?? COUNTRIES[language];
  return TIME_ZONES[region ?? ''] ?? DEFAULT_TIME_ZONE;
}
