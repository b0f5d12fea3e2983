import type { Db } from '../../platform/database.ts';
import { retryWhileLocked } from '../../platform/retry-locked.ts';
import { querySql } from '../../platform/sql.ts';
import { DAY_MS } from '../../shared/durations.ts';

const MONTH_MS = 31 * DAY_MS;

/** Add the missing partitions, each in its own transaction, so that none holds a lock for the next one. */
export async function addScanPartitions(db: Db, from: Date, to: Date): Promise<number> {
  let count = 0;
  for (let month = from; month < to; month = new Date(month.getTime() + MONTH_MS / 2))
    count += await addScanPartition(db, month);
  return count + (await addScanPartition(db, to));
}

function addScanPartition(db: Db, day: Date): Promise<number> {
  return retryWhileLocked(async () => {
    const rows = await querySql<{ made: number }>(db)`
      SELECT add_scan_partitions(${day}::date, ${day}::date) AS made`;
    return rows[0]?.made ?? 0;
  });
}

/** `before` must be at least 90 days ago. */
export async function dropScanPartitionsBefore(db: Db, before: Date): Promise<string[]> {
  const dropped: string[] = [];
  for (;;) {
    const rows = await retryWhileLocked(
      () => querySql<{ dropped: string[] }>(db)`SELECT drop_scan_partitions(${before}::date) AS dropped`,
    );
    const [name] = rows[0]?.dropped ?? [];
    if (name === undefined) return dropped;
    dropped.push(name);
  }
}
