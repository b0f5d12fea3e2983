import type { Locale } from '../../shared/i18n/locales.ts';

const UNITS = [
  { unit: 'gigabyte', bytes: 1_000_000_000 },
  { unit: 'megabyte', bytes: 1_000_000 },
  { unit: 'kilobyte', bytes: 1_000 },
] as const;

/** Format a number of bytes as people read it: at least one kilobyte. */
export function formatSize(bytes: number, { tag }: Locale): string {
  const { unit, bytes: divisor } = UNITS.find((one) => bytes >= one.bytes) ?? UNITS[2];
  const format = new Intl.NumberFormat(tag, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'gigabyte' ? 1 : 0,
  });
  return format.format(Math.max(1, bytes / divisor));
}
