/** Zero-decimal currencies of which Stripe counts hundredths. */
const HUNDREDTHS_CURRENCIES = ['isk', 'ugx'];

/** Zero-decimal currencies (ISO 4217), and the ariary, which Stripe counts whole. */
const ZERO_DECIMAL_CURRENCIES = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);

const THREE_DECIMAL_CURRENCIES = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Format a Stripe amount; the currency is lowercase. */
export function formatAmount(amount: number, currency: string, language = 'en'): string {
  const minorUnits = HUNDREDTHS_CURRENCIES.includes(currency) ? Math.round(amount / 100) : amount;
  return formatMinorUnits(minorUnits, currency.toUpperCase(), language);
}

function formatMinorUnits(minorUnits: number, currency: string, language: string): string {
  const digits = ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : THREE_DECIMAL_CURRENCIES.has(currency) ? 3 : 2;
  const usual = new Intl.NumberFormat(language, { style: 'currency', currency });
  const isUsual = usual.resolvedOptions().maximumFractionDigits === digits;
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const isWhole = minorUnits % 10 ** digits === 0;
  const format =
    isUsual || isWhole ? usual : new Intl.NumberFormat(language, { style: 'currency', currency, ...exact });
  return format.format(minorUnits / 10 ** digits);
}

export function formatDate(seconds: number, language = 'en'): string {
  const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, style).format(seconds * 1000);
}
