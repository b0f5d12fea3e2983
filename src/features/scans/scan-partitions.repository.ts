import type { Db } from '../../platform/database.ts';

/** Makes the monthly partitions of scans from one UTC day to another that are missing. Answers how many. */
export async function addScanPartitions(db: Db, from: Date, to: Date): Promise<number> {
  const rows = await db.$queryRaw<{ made: number }[]>`
    SELECT add_scan_partitions(${from}::date, ${to}::date) AS made`;
  return rows[0]?.made ?? 0;
}

/** Drops the partitions of scans that lie before a UTC day as a whole, which is 90 days ago at the latest. Answers their names. */
export async function dropScanPartitions(db: Db, before: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ dropped: string[] }[]>`
    SELECT drop_scan_partitions(${before}::date) AS dropped`;
  return rows[0]?.dropped ?? [];
}
