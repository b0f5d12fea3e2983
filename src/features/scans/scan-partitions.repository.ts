import type { Db } from '../../platform/database.ts';

export async function addScanPartitions(db: Db, from: Date, to: Date): Promise<number> {
  const rows = await db.$queryRaw<{ made: number }[]>`
    SELECT add_scan_partitions(${from}::date, ${to}::date) AS made`;
  return rows[0]?.made ?? 0;
}

/** `before` must be at least 90 days ago. */
export async function dropScanPartitionsBefore(db: Db, before: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ dropped: string[] }[]>`
    SELECT drop_scan_partitions(${before}::date) AS dropped`;
  return rows[0]?.dropped ?? [];
}
