import { Prisma } from '../../generated/prisma/client.ts';
import { generateId } from '../../shared/ids.ts';
import type { Db, Tx } from '../database.ts';
import type { SqlReader } from '../sql-readers.ts';
import type { NewRealtimeEvent, StreamName } from './streams.ts';

/** An event as the table holds it. */
export interface RealtimeEventRow {
  stream: StreamName;
  seq: number;
  id: string;
  event: string;
  data: Record<string, string | null>;
  createdAt: Date;
}

/** A stream, and up to where it is known. */
export interface StreamPosition {
  stream: StreamName;
  after: number;
}

/** The end of a stream, and where in it an event is that somebody heard last. */
export interface StreamEnd {
  last: number;
  lastId: string;
  /** Number of the event that was asked for; null where it is not there (any more). */
  heard: number | null;
  /** Number of the oldest event that is kept; null where none is. */
  oldest: number | null;
}

/**
 * Adds events to their streams, in the order given. The rows of the streams are held until the transaction ends, so that an
 * event of a higher number is never seen before one of a lower.
 */
export async function appendRealtimeEvents(tx: Tx, events: readonly NewRealtimeEvent[]): Promise<void> {
  const rows = events.flatMap(({ stream, event, data }) => {
    const id = generateId();
    return [stream].flat().map((streamName) => ({ stream: streamName, id, event, data }));
  });
  // Streams in one order everywhere, conversations before accounts, or two transactions could wait for each other.
  await tx.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT row.*, row_number() OVER (PARTITION BY stream ORDER BY place) AS nth,
             count(*) OVER (PARTITION BY stream) AS added
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS (stream text, id text, event text, data jsonb))
           WITH ORDINALITY AS row (stream, id, event, data, place)
    ), moved AS (
      INSERT INTO realtime_streams AS known (stream, user_id, conversation_id, last_seq, last_event_id)
      SELECT stream, CASE WHEN stream LIKE 'u:%' THEN substr(stream, 3) END,
             CASE WHEN stream LIKE 'c:%' THEN substr(stream, 3) END, added, id
      FROM given WHERE nth = added ORDER BY stream
      ON CONFLICT (stream) DO UPDATE SET last_seq = known.last_seq + EXCLUDED.last_seq, last_event_id = EXCLUDED.last_event_id
      RETURNING stream, last_seq
    )
    INSERT INTO realtime_events (stream, seq, id, event, data)
    SELECT stream, last_seq - added + nth, id, event, data FROM moved JOIN given USING (stream)`;
}

/** What is new in streams, each after its place, in order; so many events of each at most. */
export async function findEventsAfter(
  read: SqlReader,
  positions: readonly StreamPosition[],
  limit: number,
): Promise<RealtimeEventRow[]> {
  const rows = await read<Omit<RealtimeEventRow, 'seq'> & { seq: string }>(Prisma.sql`
    SELECT event.stream, event.seq::text AS seq, event.id, event.event, event.data, event.created_at AS "createdAt"
    FROM unnest(${positions.map(({ stream }) => stream)}::text[], ${positions.map(({ after }) => String(after))}::bigint[])
           AS place (stream, after)
    CROSS JOIN LATERAL (
      SELECT * FROM realtime_events AS one WHERE one.stream = place.stream AND one.seq > place.after
      ORDER BY one.seq LIMIT ${limit}::int) AS event
    ORDER BY event.stream, event.seq`);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** The end of a stream, and where the event of this id is in it; null for a stream without any event. */
export async function findStreamEnd(
  read: SqlReader,
  stream: StreamName,
  lastEventId: string,
): Promise<StreamEnd | null> {
  const [row] = await read<{ last: string; lastId: string; heard: string | null; oldest: string | null }>(
    Prisma.sql`
      SELECT last_seq::text AS last, last_event_id AS "lastId",
             (SELECT seq::text FROM realtime_events WHERE stream = ${stream} AND id = ${lastEventId}) AS heard,
             (SELECT min(seq)::text FROM realtime_events WHERE stream = ${stream}) AS oldest
      FROM realtime_streams WHERE stream = ${stream}`,
  );
  const toNumber = (text: string | null) => (text === null ? null : Number(text));
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

/** Removes events that were added before this moment. Answers how many, `limit` at most. */
export async function deleteExpiredEvents(db: Db, before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM realtime_events WHERE (stream, seq) IN (
      SELECT stream, seq FROM realtime_events WHERE created_at < ${before} ORDER BY created_at, seq LIMIT ${limit})`;
}
