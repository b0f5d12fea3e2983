export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const YEAR_SECONDS = 365 * DAY_SECONDS;

const SECONDS_BY_UNIT = {
  years: YEAR_SECONDS,
  days: DAY_SECONDS,
  hours: HOUR_SECONDS,
  minutes: MINUTE_SECONDS,
  seconds: 1,
} as const;

export type DurationUnit = keyof typeof SECONDS_BY_UNIT;

const SMALL_NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Format a duration for texts in English, in the largest unit that has it whole: a day, two hours, 30 minutes. */
export function formatDuration(seconds: number, unit?: DurationUnit): string {
  const units = Object.keys(SECONDS_BY_UNIT) as DurationUnit[];
  const chosen = unit ?? units.find((name) => seconds % SECONDS_BY_UNIT[name] === 0) ?? 'seconds';
  const count = seconds / SECONDS_BY_UNIT[chosen];
  if (count === 1) return `${chosen === 'hours' ? 'an' : 'a'} ${chosen.slice(0, -1)}`;
  return `${SMALL_NUMBERS[count - 2] ?? count.toLocaleString('en')} ${chosen}`;
}
