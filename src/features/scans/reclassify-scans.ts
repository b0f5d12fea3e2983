import type { Database } from '../../platform/database.ts';
import { driverTransaction } from '../../platform/driver-transaction.ts';
import { firstIdAt } from '../../shared/ids.ts';
import {
  firstScanAt,
  holdCodeDay,
  listCodeDays,
  readCodeDay,
  storeClasses,
} from './reclassify.repository.ts';
import { reclassify } from './reclassify.rules.ts';

const DAY = 24 * 60 * 60 * 1000;

interface Options {
  /** The UTC day to begin with; the first of all without it. */
  from?: Date | undefined;
  /** Told the days done, how many there are, and the one reached. */
  progress?: ((done: number, total: number, day: Date) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Decides the classes of stored scans again by today's rules, a code and UTC day in one transaction, oldest day first;
 * counts and roll-ups follow. What is right already stays, so that it can be ended and begun again. Answers how many
 * scans have another class, rule or part in `unique`, and the day to go on with where it was ended.
 */
export async function reclassifyScans(
  database: Pick<Database, 'pool'>,
  { from, progress, signal }: Options = {},
): Promise<{ changed: number; next: Date | null }> {
  const first = from ?? (await firstScanAt(database.pool));
  if (!first) return { changed: 0, next: null };
  const begin = Math.floor(first.getTime() / DAY);
  const end = Math.floor(Date.now() / DAY) + 1;
  let changed = 0;
  for (let number = begin; number < end; number++) {
    const day = new Date(number * DAY);
    if (signal?.aborted) return { changed, next: day };
    const ids = { first: firstIdAt(day), beyond: firstIdAt(new Date(day.getTime() + DAY)) };
    for (const codeDay of await listCodeDays(database.pool, ids)) {
      changed += await driverTransaction(database, 'WRITE', async (connection) => {
        await holdCodeDay(connection, codeDay);
        const found = reclassify(await readCodeDay(connection, codeDay), day);
        if (found.length > 0) await storeClasses(connection, found);
        return found.length;
      });
    }
    progress?.(number - begin + 1, end - begin, day);
  }
  return { changed, next: null };
}
