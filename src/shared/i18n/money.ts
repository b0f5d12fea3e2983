/** Currencies whose minor unit is not two digits (ISO 4217). Providers charge MGA in whole units. */
const MINOR_UNIT_DIGITS: Readonly<Record<string, number>> = {
  ...assignDigits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...assignDigits(3, 'BHD IQD JOD KWD LYD OMR TND'),
};

/** Format minor units by ISO 4217, as providers do; digits that CLDR omits are shown only where not zero. */
export function formatMoney({ tag }: { tag: string }, minorUnits: number, currency: string): string {
  const digits = getMinorUnitDigits(currency);
  const defaultFormat = new Intl.NumberFormat(tag, { style: 'currency', currency });
  const hasDefaultDigits = defaultFormat.resolvedOptions().maximumFractionDigits === digits;
  const fractionDigits = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const isWholeAmount = minorUnits % 10 ** digits === 0;
  const format =
    hasDefaultDigits || isWholeAmount
      ? defaultFormat
      : new Intl.NumberFormat(tag, { style: 'currency', currency, ...fractionDigits });
  return format.format(minorUnits / 10 ** digits);
}

/** Get how many digits an amount has behind the decimal point. */
export function getMinorUnitDigits(currency: string): number {
  return MINOR_UNIT_DIGITS[currency] ?? 2;
}

function assignDigits(digits: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]));
}
