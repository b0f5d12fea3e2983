import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Measurement, RatioGoal } from '../table.ts';

const MIB = 2 ** 20;

/** The statistics of the server, once a connection has reported its counts or is closed. */
const STATISTICS_DELAY_MS = 500;

export interface TableSize {
  heapMib: number;
  indexMib: number;
}

export interface TableWrites {
  updates: number;
  hotUpdates: number;
  deadRows: number;
}

/** Read the sizes of tables together. */
export async function readTableSize(client: pg.Client, tables: readonly string[]): Promise<TableSize> {
  const { rows } = await client.query<{ heap: string; indexes: string }>(
    `SELECT sum(pg_table_size(name::regclass)) AS heap, sum(pg_indexes_size(name::regclass)) AS indexes
     FROM unnest($1::text[]) AS name`,
    [tables],
  );
  return { heapMib: Number(rows[0]?.heap) / MIB, indexMib: Number(rows[0]?.indexes) / MIB };
}

/** Read how often rows were updated since the table was created, and how many versions of rows wait for a vacuum. */
export async function readTableWrites(client: pg.Client, table: string): Promise<TableWrites> {
  await client.query('SELECT pg_stat_force_next_flush()');
  await sleep(STATISTICS_DELAY_MS);
  const { rows } = await client.query<Record<keyof TableWrites, string>>(
    `SELECT n_tup_upd AS updates, n_tup_hot_upd AS "hotUpdates", n_dead_tup AS "deadRows"
     FROM pg_stat_user_tables WHERE relid = $1::regclass`,
    [table],
  );
  const [row] = rows;
  return {
    updates: Number(row?.updates),
    hotUpdates: Number(row?.hotUpdates),
    deadRows: Number(row?.deadRows),
  };
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
