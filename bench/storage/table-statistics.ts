import type pg from 'pg';
import type { Measurement, RatioGoal } from '../table.ts';

const MIB = 2 ** 20;

export interface TableSize {
  heapMib: number;
  indexMib: number;
}

export async function readTableSize(client: pg.Client, table: string): Promise<TableSize> {
  const { rows } = await client.query<{ heap: string; indexes: string }>(
    'SELECT pg_table_size($1::regclass) AS heap, pg_indexes_size($1::regclass) AS indexes',
    [table],
  );
  return { heapMib: Number(rows[0]?.heap) / MIB, indexMib: Number(rows[0]?.indexes) / MIB };
}

/** Measure the WAL that the server writes during `work`, in MiB. */
export async function measureWal(client: pg.Client, work: () => Promise<void>): Promise<number> {
  const { rows: before } = await client.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn() AS lsn');
  await work();
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes',
    [before[0]?.lsn],
  );
  return Number(rows[0]?.bytes) / MIB;
}

export function createMeasurement(
  [row, measure, unit]: readonly [row: string, measure: string, unit: string],
  service: number,
  baseline: number,
  ratioGoal: RatioGoal | null = null,
): Measurement {
  return { row, measure, unit, service: [service], baseline: [baseline], ratioGoal };
}
