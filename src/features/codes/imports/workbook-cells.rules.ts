const DAY_MS = 86_400_000;

/** What a time without a date is in a sheet: the part of a day after this. */
const TIME_ONLY_BEFORE_MS = Date.UTC(1900, 0, 1);

/** The text of a cell: the result of a formula, a date as in ISO 8601, a time of day as 14:30. */
export function toCellText(value: unknown): string {
  if (value instanceof Date) return toDateText(value);
  return value === null || value === undefined ? '' : String(value);
}

/** Sheets have no time zone: times are those of UTC. */
function toDateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  if (date.getTime() < TIME_ONLY_BEFORE_MS) return time.slice(0, 5);
  return date.getTime() % DAY_MS === 0 ? day : `${day}T${time.slice(0, 8)}Z`;
}

/** Format a cell of CSV (RFC 4180). */
export function formatCsvCell(text: string): string {
  return /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
