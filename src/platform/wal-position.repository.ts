import type pg from 'pg';
import { querySql } from './sql.ts';

export interface DatabaseWithPool {
  pool: Pick<pg.Pool, 'query'>;
}

/** Read the end of the write-ahead log on the primary's disk: everything acknowledged is before it. */
export async function readFlushedPosition({ pool }: DatabaseWithPool): Promise<bigint> {
  const rows = await querySql<{ position: string }>(pool)`SELECT pg_current_wal_flush_lsn() AS position`;
  return parsePosition(rows[0]?.position ?? '');
}

/** Read how far a replica has replayed the log; null where the server is none. */
export async function readReplayedPosition({ pool }: DatabaseWithPool): Promise<bigint | null> {
  const rows = await querySql<{ position: string | null }>(pool)`
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END AS position`;
  const position = rows[0]?.position;
  return position ? parsePosition(position) : null;
}

/** @param position two hexadecimal halves: `16/B374D848` */
function parsePosition(position: string): bigint {
  const [high = '', low = ''] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
