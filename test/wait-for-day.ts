import { setTimeout as wait } from 'node:timers/promises';
import { getStartOfDay } from '../src/shared/day-start.ts';

const NEEDED_MS = 30_000;

/** Wait for midnight when it is near, for a test that means one day by "today". */
export async function waitForDay(timeZone = 'UTC'): Promise<void> {
  const soon = new Date(Date.now() + NEEDED_MS);
  const midnight = getStartOfDay(soon, timeZone).getTime();
  if (midnight > Date.now()) await wait(midnight - Date.now() + 1_000);
}
