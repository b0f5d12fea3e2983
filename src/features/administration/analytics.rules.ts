/** Counts over the whole service for one UTC day. */
export interface DayCounts {
  /** Midnight, UTC. */
  day: Date;
  users: number;
  qrCodes: number;
  scans: number;
  humans: number;
  uniques: number;
}

/** Scans of some days. `unique` adds up the visitors of each day. */
export interface ScanCounts {
  total: number;
  humans: number;
  unique: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** Midnight (UTC) of the day that lies so many days before a moment. */
export function dayBefore(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / DAY) * DAY - days * DAY);
}

/** Every day from one to another (inclusive, midnights), oldest first, those without a count as zeros. */
export function everyDay(counted: readonly DayCounts[], from: Date, to: Date): DayCounts[] {
  const known = new Map(counted.map((day) => [day.day.getTime(), day]));
  const days: DayCounts[] = [];
  for (let at = from.getTime(); at <= to.getTime(); at += DAY) {
    days.push(known.get(at) ?? { day: new Date(at), users: 0, qrCodes: 0, scans: 0, humans: 0, uniques: 0 });
  }
  return days;
}

/** The scans of some days together. */
export function scansOf(days: readonly DayCounts[]): ScanCounts {
  return {
    total: sumOf(days, 'scans'),
    humans: sumOf(days, 'humans'),
    unique: sumOf(days, 'uniques'),
  };
}

/** How many were made on some days. */
export function sumOf(days: readonly DayCounts[], name: Exclude<keyof DayCounts, 'day'>): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}
