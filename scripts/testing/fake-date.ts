import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY_FOLDER = '/usr/lib';
const LIBRARY_NAME = 'faketime/libfaketime.so.1';

/** Find libfaketime, which Debian installs below the folder of the processor; null where it is missing. */
export function findFakeTimeLibrary(): string | null {
  if (process.platform !== 'linux') return null;
  const folders = ['.', ...readdirSync(LIBRARY_FOLDER).filter((name) => name.includes('-linux-'))];
  return folders.map((name) => join(LIBRARY_FOLDER, name, LIBRARY_NAME)).find(existsSync) ?? null;
}

/**
 * The same day of the next year with the same weekdays, leap days and clock changes, for a date (YYYY-MM-DDThh:mm, UTC) that
 * is over: under an earlier date time limits of PostgreSQL end at once.
 */
export function toUpcomingDate(date: string, now = new Date()): string {
  if (Date.parse(`${date}Z`) > now.getTime()) return date;
  const year = Number(date.slice(0, 4));
  let next = year + 1;
  while (getCalendar(next) !== getCalendar(year)) next += 1;
  return toUpcomingDate(`${next}${date.slice(4)}`, now);
}

/** The weekdays of the first and the last day of a year. */
function getCalendar(year: number): string {
  return [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)].map((day) => new Date(day).getUTCDay()).join();
}

/**
 * The environment that moves the date of a process and of all that it starts. The offset is constant, so that they agree
 * and their clocks go on. Clocks that measure spans, and the times of files, stay real.
 *
 * Under a later date PostgreSQL does not end a statement that waits: while libfaketime waits, handlers of signals see the
 * real date, at which no statement, lock or deadlock timeout is over yet.
 */
export function createFakeDateEnvironment(library: string, date: Date, now = new Date()) {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000);
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    // Its versions differ in the name.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}
