import type { Locale } from '../../../shared/i18n/locales.ts';

export function formatNumber(value: number, { tag }: Locale): string {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }).format(value);
}

export function formatMillimeters(value: number, { tag }: Locale): string {
  const options = { style: 'unit', unit: 'millimeter', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(tag, options).format(value);
}
