import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql, type SqlConnection, sql } from '../../platform/sql.ts';
import { type EventData, type EventType, getMatchingEventPatterns } from '../../shared/event-types.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';

export interface EventRow {
  id: string;
  type: EventType;
  data: EventData;
  at: Date;
}

export interface NewEvent extends EventRow {
  accountId: string;
}

export interface EventFilter {
  types: readonly EventType[];
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
}

export type EventSort = 'timestamp' | '-timestamp';

const ORDER_BY: Record<EventSort, { direction: Prisma.Sql; after: Prisma.Sql }> = {
  timestamp: { direction: sql`ASC`, after: sql`>` },
  '-timestamp': { direction: sql`DESC`, after: sql`<` },
};

/** Store events and their deliveries, in the transaction of their cause. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map((event) => ({
    id: event.id,
    account_id: event.accountId,
    type: event.type,
    data: event.data,
    at: event.at,
    patterns: getMatchingEventPatterns(event.type),
  }));
  await executeSql(tx)`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS event (id text, account_id text, type text, data jsonb, at timestamptz, patterns text[])
    ), inserted AS (
      INSERT INTO account_events (id, account_id, type, data, created_at)
      SELECT id, account_id, type, data, at FROM input
    )
    INSERT INTO webhook_deliveries (account_id, endpoint_id, event_id, event_type, event_data, event_at)
    SELECT input.account_id, endpoint.id, input.id, type, data, at
    FROM input JOIN webhook_endpoints AS endpoint ON endpoint.account_id = input.account_id
    WHERE endpoint.disabled_at IS NULL AND endpoint.is_verified AND endpoint.event_types && patterns`;
}

/** SQL that inserts the deliveries of scans: of rows with id, account_id, qr_code_id, class and scanned_at. */
export function createScanDeliveriesSql(scans: string): string {
  return `INSERT INTO webhook_deliveries (account_id, endpoint_id, event_id, event_type, event_data, event_at)
    SELECT scan.account_id, endpoint.id, scan.id, 'scan.created',
           jsonb_build_object('id', scan.id, 'qrCodeId', scan.qr_code_id), scan.scanned_at
    FROM ${scans} AS scan JOIN webhook_endpoints AS endpoint ON endpoint.account_id = scan.account_id
    WHERE scan.class = 'HUMAN' AND endpoint.disabled_at IS NULL AND endpoint.is_verified
      AND endpoint.event_types && '{${getMatchingEventPatterns('scan.created').join(',')}}'`;
}

export async function listEvents(
  connection: SqlConnection,
  accountId: string,
  filter: EventFilter,
  page: { sort: EventSort; cursor: TimeCursor | null; take: number },
): Promise<EventRow[]> {
  return querySql<EventRow>(connection)(createEventsQuery(accountId, filter, page));
}

/** Insert or repeat the deliveries of an endpoint for past events, oldest first. `last` is the last of them. */
export async function replayEvents(
  tx: Tx,
  endpoint: { id: string; accountId: string },
  filter: EventFilter,
  { includeDelivered, limit }: { includeDelivered: boolean; limit: number },
): Promise<{ count: number; events: number; last: Date | null }> {
  const events = createEventsQuery(endpoint.accountId, filter, {
    sort: 'timestamp',
    cursor: null,
    take: limit,
  });
  const [row] = await querySql<{ count: number; events: number; last: Date | null }>(tx)`
    WITH events AS MATERIALIZED (${events}), replayed AS (
      INSERT INTO webhook_deliveries AS delivery (account_id, endpoint_id, event_id, event_type, event_data, event_at)
      SELECT ${endpoint.accountId}, ${endpoint.id}, id, type, data, at FROM events
      ON CONFLICT (account_id, endpoint_id, event_id) DO UPDATE SET status = 'PENDING', failures = 0, next_attempt_at = now()
        WHERE delivery.status <> 'DELIVERED' OR ${includeDelivered}
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM replayed)::int AS count, count(*)::int AS events, max(at) AS last FROM events`;
  return row ?? { count: 0, events: 0, last: null };
}

/** Scans are not stored again as events. */
function createEventsQuery(
  accountId: string,
  { types, from, to }: EventFilter,
  { sort, cursor, take }: { sort: EventSort; cursor: TimeCursor | null; take: number },
): Prisma.Sql {
  const { direction, after } = ORDER_BY[sort];
  const afterCursor = (at: Prisma.Sql) =>
    cursor ? sql`AND (${at}, id) ${after} (${cursor.at}, ${cursor.id})` : Prisma.empty;
  const scans = types.includes('scan.created')
    ? sql`UNION ALL (
        SELECT id, 'scan.created' AS type, jsonb_build_object('id', id, 'qrCodeId', qr_code_id) AS data, scanned_at AS at
        FROM scans
        WHERE account_id = ${accountId} AND class = 'HUMAN' AND scanned_at >= ${from} AND scanned_at < ${to}
          AND id >= ${getMinIdAt(from)} ${afterCursor(sql`scanned_at`)}
        ORDER BY scanned_at ${direction}, id ${direction} LIMIT ${take}::int)`
    : Prisma.empty;
  return sql`
    SELECT id, type, data, at FROM (
      (SELECT id, type, data, created_at AS at FROM account_events
       WHERE account_id = ${accountId} AND type = ANY(${[...types]}::text[]) AND created_at >= ${from} AND created_at < ${to}
         ${afterCursor(sql`created_at`)}
       ORDER BY created_at ${direction}, id ${direction} LIMIT ${take}::int)
      ${scans}
    ) AS event
    ORDER BY at ${direction}, id ${direction} LIMIT ${take}::int`;
}

/** Returns the number deleted. */
export async function deleteExpiredEvents(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM account_events WHERE id IN (
      SELECT id FROM account_events WHERE id < ${getMinIdAt(before)} ORDER BY id LIMIT ${limit})`;
}
