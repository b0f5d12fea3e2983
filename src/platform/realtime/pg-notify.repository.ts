import type pg from 'pg';
import { executeSql } from '../sql.ts';

const REALTIME_CHANNEL = 'realtime';

/** Notify all listening processes. Outside of transactions: PostgreSQL serializes commits that notify. */
export async function sendPgNotifications(
  pool: Pick<pg.Pool, 'query'>,
  payloads: readonly string[],
): Promise<void> {
  await executeSql(pool)({
    text: 'SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text',
    values: [REALTIME_CHANNEL, payloads],
  });
}

export async function startPgListening(client: Pick<pg.Client, 'query'>): Promise<void> {
  await executeSql(client)({ text: `LISTEN ${REALTIME_CHANNEL}` });
}
