import type pg from 'pg';

const REALTIME_CHANNEL = 'realtime';

/** Notify all listening processes. Outside of transactions: PostgreSQL serializes commits that notify. */
export async function sendPgNotifications(
  pool: Pick<pg.Pool, 'query'>,
  payloads: readonly string[],
): Promise<void> {
  await pool.query('SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text', [
    REALTIME_CHANNEL,
    payloads,
  ]);
}

export async function startPgListening(client: Pick<pg.Client, 'query'>): Promise<void> {
  await client.query(`LISTEN ${REALTIME_CHANNEL}`);
}
