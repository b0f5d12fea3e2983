/**
 * Currencies with another number of digits of minor units than two (ISO 4217). The ariary (MGA) has fifths there, which
 * nobody counts: providers take it whole.
 */
const DIGITS: Readonly<Record<string, number>> = {
  ...each(0, 'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...each(3, 'BHD IQD JOD KWD LYD OMR TND'),
};

/**
 * An amount of money as a language writes it, from the currency's minor units. How many digits those have is what ISO 4217
 * says, and providers count by; what a language usually shows is less for some, which are left out where they are zero.
 */
export function sayAmount({ tag }: { tag: string }, minorUnits: number, currency: string): string {
  const digits = DIGITS[currency] ?? 2;
  const usual = new Intl.NumberFormat(tag, { style: 'currency', currency });
  const isUsual = usual.resolvedOptions().maximumFractionDigits === digits;
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const isWhole = minorUnits % 10 ** digits === 0;
  const format =
    isUsual || isWhole ? usual : new Intl.NumberFormat(tag, { style: 'currency', currency, ...exact });
  return format.format(minorUnits / 10 ** digits);
}

function each(digits: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]));
}
