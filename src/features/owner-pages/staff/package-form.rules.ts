import { BILLING_INTERVALS } from '../../../shared/billing-interval.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { LOCALES } from '../../../shared/i18n/locales.ts';
import { getMinorUnitDigits } from '../../../shared/i18n/money.ts';
import { PACKAGE_LIMIT_NAMES, type PackageContent } from '../../billing/index.ts';

export type PackageFormValues = Partial<Record<string, string>>;

type Content = PackageContent & { onOffer: boolean };

const BYTES_PER_MEBIBYTE = 1024 * 1024;

/** For new prices. */
const EMPTY_PRICE_ROWS = 2;

export const MAX_PRICE_ROWS = 100;

/** Convert a package to the values of its form, with a number for each row of prices. */
export function toPackageFormValues({
  names,
  prices,
  limits,
  features,
  onOffer,
}: Content): PackageFormValues {
  const priceValues = prices.map(({ interval, currency, amount }, index) => [
    [`prices[${index}].interval`, interval],
    [`prices[${index}].currency`, currency],
    [`prices[${index}].amount`, formatDecimal(amount, getMinorUnitDigits(currency))],
  ]);
  return Object.fromEntries([
    ...Object.entries(names).map(([tag, name]) => [`names.${tag}`, name]),
    ...priceValues.flat(),
    ...PACKAGE_LIMIT_NAMES.map((name) => [`limits.${name}`, formatLimit(name, limits[name] ?? null)]),
    ['features', features.join('\n')],
    ['rows', String(Math.min(prices.length + EMPTY_PRICE_ROWS, MAX_PRICE_ROWS))],
    ['onOffer', onOffer ? 'yes' : undefined],
  ]);
}

/** Read how many rows of prices a form has. */
export function countPriceRows({ rows }: PackageFormValues): number {
  const count = Number(rows);
  return Number.isInteger(count) && count > 0 && count <= MAX_PRICE_ROWS ? count : EMPTY_PRICE_ROWS;
}

/** Read what a form says. A row of prices without an amount is none; `rows` has the number of each price. */
export function parsePackageForm(values: PackageFormValues): {
  content: Content;
  rows: number[];
  errors: FieldError[];
} {
  const errors: FieldError[] = [];
  const refuse = (field: string, code: string) => errors.push({ field, code, message: '' });
  const rows: number[] = [];
  const prices: Content['prices'] = [];
  for (let row = 0; row < countPriceRows(values); row += 1) {
    const text = values[`prices[${row}].amount`]?.trim() ?? '';
    if (text === '') continue;
    const currency = values[`prices[${row}].currency`]?.trim().toUpperCase() ?? '';
    const interval = BILLING_INTERVALS.find((name) => name === values[`prices[${row}].interval`]) ?? 'month';
    const amount = parseDecimal(text, getMinorUnitDigits(currency));
    if (amount === null) refuse(`prices[${row}].amount`, 'BAD_NUMBER');
    if (currency === '') refuse(`prices[${row}].currency`, 'REQUIRED');
    rows.push(row);
    prices.push({ interval, currency, amount: amount ?? 0 });
  }
  const names = [...LOCALES.keys()].map((tag) => [tag, values[`names.${tag}`]?.trim() ?? ''] as const);
  if (!values['names.en']?.trim()) refuse('names.en', 'REQUIRED');
  const limits = PACKAGE_LIMIT_NAMES.map((name) => {
    const text = values[`limits.${name}`]?.trim() ?? '';
    if (text === '') return [name, null] as const;
    const limit = name === 'storageBytes' ? parseMebibytes(text) : parseDecimal(text, 0);
    if (limit === null) refuse(`limits.${name}`, 'BAD_NUMBER');
    return [name, limit] as const;
  });
  const content = {
    names: Object.fromEntries(names.filter(([, name]) => name !== '')),
    prices,
    limits: Object.fromEntries(limits),
    features: (values.features ?? '').split(/\s+/).filter(Boolean),
    onOffer: values.onOffer !== undefined,
  };
  return { content, rows, errors };
}

/** Name the fields of errors as the form does, which has rows without a price. */
export function toFormErrors(errors: readonly FieldError[], rows: readonly number[]): FieldError[] {
  return errors.map((error) => {
    const [, index, part] = /^prices\[(\d+)\](?:\.(\w+))?$/.exec(error.field) ?? [];
    if (index === undefined) return { ...error, field: error.field.replace(/\[\d+\]$/, '') };
    return { ...error, field: `prices[${rows[Number(index)] ?? 0}].${part ?? 'amount'}` };
  });
}

function formatLimit(name: string, limit: number | null): string {
  if (limit === null) return '';
  return name === 'storageBytes' ? String(limit / BYTES_PER_MEBIBYTE) : String(limit);
}

function formatDecimal(units: number, digits: number): string {
  return (units / 10 ** digits).toFixed(digits);
}

/** Parse a decimal with a point or a comma to its smallest units; null for other text. */
function parseDecimal(text: string, digits: number): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:[.,](\d{1,6}))?$/.exec(text) ?? [];
  // Zeros behind the smallest unit are fine.
  if (whole === '' || Number(fraction.slice(digits)) > 0) return null;
  const units = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  return Number.isSafeInteger(units) ? units : null;
}

function parseMebibytes(text: string): number | null {
  if (!/^\d{1,10}(?:[.,]\d{1,20})?$/.test(text)) return null;
  return Math.round(Number(text.replace(',', '.')) * BYTES_PER_MEBIBYTE);
}
