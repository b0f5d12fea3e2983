import type pg from 'pg';
import { querySql } from './sql.ts';

export interface TableSize {
  /** As PostgreSQL estimated at the last VACUUM or ANALYZE. */
  rows: number;
  /** Without indexes and long values. */
  bytes: number;
}

/** By table, its partitions included; tables that were never analyzed are missing. */
export type TableSizes = ReadonlyMap<string, TableSize>;

/** Estimate from the catalog, since pg_total_relation_size() would wait for locks. */
export async function readTableSizes(pool: pg.Pool): Promise<TableSizes> {
  const rows = await querySql<TableSize & { name: string }>(pool)`
    WITH RECURSIVE part AS (
      SELECT relname AS name, oid FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      UNION ALL
      SELECT part.name, inhrelid FROM pg_inherits JOIN part ON inhparent = part.oid)
    SELECT part.name, sum(class.reltuples)::float8 AS rows,
           (sum(class.relpages::bigint) * current_setting('block_size')::int)::float8 AS bytes
    FROM part JOIN pg_class AS class USING (oid)
    WHERE class.relkind = 'r' AND class.reltuples >= 0
    GROUP BY part.name`;
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}
