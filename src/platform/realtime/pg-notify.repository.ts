import type pg from 'pg';

/** The channel on which processes tell each other where to look. */
const REALTIME_CHANNEL = 'realtime';

/** Tells all processes that listen, each text by itself. Outside of transactions: PostgreSQL has commits wait in line behind it. */
export async function notifyListeners(
  pool: Pick<pg.Pool, 'query'>,
  payloads: readonly string[],
): Promise<void> {
  await pool.query('SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text', [
    REALTIME_CHANNEL,
    payloads,
  ]);
}

/** Has a connection of the driver hear what others tell. */
export async function startListening(client: Pick<pg.Client, 'query'>): Promise<void> {
  await client.query(`LISTEN ${REALTIME_CHANNEL}`);
}
