import { generateId } from '../../shared/ids.ts';
import type { Db, Tx } from '../database.ts';
import { executeSql, querySql, type SqlConnection } from '../sql.ts';
import type { NewRealtimeEvent, RealtimeStreamName } from './streams.ts';

export interface RealtimeEventRow {
  stream: RealtimeStreamName;
  seq: number;
  id: string;
  event: string;
  data: Record<string, string | null>;
  createdAt: Date;
}

export interface RealtimeStreamPosition {
  stream: RealtimeStreamName;
  after: number;
}

export interface RealtimeStreamEnd {
  last: number;
  lastId: string;
  heard: number | null;
  oldest: number | null;
}

/** Append events in order, locking their streams so that a higher number is never visible first. */
export async function appendRealtimeEvents(tx: Tx, events: readonly NewRealtimeEvent[]): Promise<void> {
  const rows = events.flatMap(({ stream, event, data }) => {
    const id = generateId();
    return [stream].flat().map((streamName) => ({ stream: streamName, id, event, data }));
  });
  // The same lock order everywhere, conversations before accounts, prevents deadlocks.
  await executeSql(tx)`
    WITH input AS MATERIALIZED (
      SELECT row.*, row_number() OVER (PARTITION BY stream ORDER BY place) AS nth,
             count(*) OVER (PARTITION BY stream) AS added
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS (stream text, id text, event text, data jsonb))
           WITH ORDINALITY AS row (stream, id, event, data, place)
    ), moved AS (
      INSERT INTO realtime_streams AS known (stream, user_id, conversation_id, last_seq, last_event_id)
      SELECT stream, CASE WHEN stream LIKE 'u:%' THEN substr(stream, 3) END,
             CASE WHEN stream LIKE 'c:%' THEN substr(stream, 3) END, added, id
      FROM input WHERE nth = added ORDER BY stream
      ON CONFLICT (stream) DO UPDATE SET last_seq = known.last_seq + EXCLUDED.last_seq, last_event_id = EXCLUDED.last_event_id
      RETURNING stream, last_seq
    )
    INSERT INTO realtime_events (stream, seq, id, event, data)
    SELECT stream, last_seq - added + nth, id, event, data FROM moved JOIN input USING (stream)`;
}

export async function findRealtimeEventsAfter(
  connection: SqlConnection,
  positions: readonly RealtimeStreamPosition[],
  limit: number,
): Promise<RealtimeEventRow[]> {
  const rows = await querySql<Omit<RealtimeEventRow, 'seq'> & { seq: bigint }>(connection, {
    isPrepared: true,
  })`
    SELECT event.stream, event.seq, event.id, event.event, event.data, event.created_at AS "createdAt"
    FROM unnest(${positions.map(({ stream }) => stream)}::text[], ${positions.map(({ after }) => String(after))}::bigint[])
           AS place (stream, after)
    CROSS JOIN LATERAL (
      SELECT * FROM realtime_events AS one WHERE one.stream = place.stream AND one.seq > place.after
      ORDER BY one.seq LIMIT ${limit}::int) AS event
    ORDER BY event.stream, event.seq`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

interface StreamEndRow {
  last: bigint;
  lastId: string;
  heard: bigint | null;
  oldest: bigint | null;
}

export async function findRealtimeStreamEnd(
  connection: SqlConnection,
  stream: RealtimeStreamName,
  lastEventId: string,
): Promise<RealtimeStreamEnd | null> {
  const [row] = await querySql<StreamEndRow>(connection, { isPrepared: true })`
    SELECT last_seq AS last, last_event_id AS "lastId",
           (SELECT seq FROM realtime_events WHERE stream = ${stream} AND id = ${lastEventId}) AS heard,
           (SELECT min(seq) FROM realtime_events WHERE stream = ${stream}) AS oldest
    FROM realtime_streams WHERE stream = ${stream}`;
  const toNumber = (seq: bigint | null) => (seq === null ? null : Number(seq));
  return (
    (row && {
      last: Number(row.last),
      lastId: row.lastId,
      heard: toNumber(row.heard),
      oldest: toNumber(row.oldest),
    }) ??
    null
  );
}

export async function deleteExpiredRealtimeEvents(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM realtime_events WHERE (stream, seq) IN (
      SELECT stream, seq FROM realtime_events WHERE created_at < ${before} ORDER BY created_at, seq LIMIT ${limit})`;
}
