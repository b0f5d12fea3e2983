import type { Database } from '../../platform/database.ts';
import { getErrorReason } from '../../platform/error-reason.ts';
import {
  findEventsAfter,
  findStreamEnd,
  type RealtimeEventRow,
} from '../../platform/realtime/event.repository.ts';
import type { RealtimeMessage } from '../../platform/realtime/realtime-messages.ts';
import { isStreamName, type StreamName } from '../../platform/realtime/streams.ts';
import { createPreparedReader } from '../../platform/sql-readers.ts';
import type { Limiter } from '../../shared/limiter.ts';
import { formatServerMessage, type RealtimeListener, type SocketConnection } from './connection.ts';
import { createEventData, type EventContents, type EventServices, loadEventContents } from './event-data.ts';
import { getReplayStart, STREAM_START_ID } from './realtime.rules.ts';

/** Events of a stream that are read at once. */
const BATCH_SIZE = 100;
/** Looks by itself so often, in milliseconds: what was announced may have been lost. */
const POLL_INTERVAL_MS = 2_000;

export interface HubServices extends EventServices {
  database: Database;
  log: { warn(details: object, message: string): void };
}

/** The sockets of this process and what they hear. */
export interface RealtimeHub {
  /** Sends what was missed since that event, then all that follows. The listener of the connection is known. */
  join(connection: SocketConnection, since: string | undefined): Promise<void>;
  leave(connection: SocketConnection): void;
  /** Reads what is new where it was announced. */
  handleNotice(notice: RealtimeMessage): void;
  /** Those that hear a stream. */
  listConnections(stream: StreamName): Iterable<SocketConnection>;
  start(): void;
  stop(): Promise<void>;
}

/** Reads streams that have sockets here, all in one statement, and sends each socket what comes after its position. */
export function createRealtimeHub(
  services: HubServices,
  limiter: Limiter,
  /** Called before a socket hears that a conversation has ended. */
  onEnded: (conversationId: string) => void,
): RealtimeHub {
  const { database, log } = services;
  const read = createPreparedReader(database);
  const streams = new Map<StreamName, Set<SocketConnection>>();
  const due = new Set<StreamName>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  function look(which: Iterable<StreamName>): void {
    for (const stream of which) if (streams.has(stream)) due.add(stream);
    if (due.size > 0) running ??= readAll().finally(() => (running = null));
  }

  async function readAll(): Promise<void> {
    try {
      while (due.size > 0) await readDue();
      isFailing = false;
    } catch (error) {
      // Cursors stay: the next look finds the same.
      due.clear();
      if (!isFailing)
        log.warn({ reason: getErrorReason(error) }, 'realtime: events cannot be read, tried again');
      isFailing = true;
    }
  }

  async function readDue(): Promise<void> {
    const after = new Map<StreamName, number>();
    for (const stream of due) {
      const positions = [...(streams.get(stream) ?? [])].map(({ position }) => position);
      if (positions.length > 0) after.set(stream, Math.min(...positions));
    }
    due.clear();
    const places = [...after].map(([stream, place]) => ({ stream, after: place }));
    if (places.length === 0) return;
    const rows = await findEventsAfter(read, places, BATCH_SIZE);
    const contents = await loadEventContents(services, rows);
    const counts = new Map<StreamName, number>();
    const format = createMessageFormatter(contents);
    for (const row of rows) {
      if (row.event === 'conversation.ended') onEnded(row.data.conversationId ?? '');
      counts.set(row.stream, (counts.get(row.stream) ?? 0) + 1);
      for (const connection of streams.get(row.stream) ?? []) {
        // One that came meanwhile and is further behind would miss what lies between: the next look has it.
        if (connection.position < row.seq && connection.position >= (after.get(row.stream) ?? 0))
          sendEvent(connection, row, format);
      }
    }
    for (const [stream, count] of counts) if (count === BATCH_SIZE) due.add(stream);
  }

  /** Sends what was missed, no faster than it is taken, before the connection hears what happens now. */
  async function catchUp(connection: SocketConnection, { stream }: RealtimeListener): Promise<void> {
    while (connection.isOpen()) {
      const { rows, texts: format } = await limiter(async () => {
        const missed = await findEventsAfter(read, [{ stream, after: connection.position }], BATCH_SIZE);
        return { rows: missed, texts: createMessageFormatter(await loadEventContents(services, missed)) };
      });
      let onSent: Promise<void> | undefined;
      for (const row of rows)
        onSent = new Promise((resolve) => sendEvent(connection, row, format, () => resolve()));
      await onSent;
      if (rows.length < BATCH_SIZE) return;
    }
  }

  return {
    async join(connection, since) {
      const { listener } = connection;
      if (!listener) return;
      const { stream } = listener;
      const end = await limiter(() => findStreamEnd(read, stream, since ?? STREAM_START_ID));
      const { after, id, isLost } = getReplayStart(end, since);
      connection.position = after;
      connection.lastId = id;
      sendReadyEvent(connection);
      if (isLost) connection.send('resync', {}, id);
      else if (after < (end?.last ?? 0)) await catchUp(connection, listener);
      if (!connection.isOpen()) return;
      const others = streams.get(stream) ?? new Set();
      streams.set(stream, others.add(connection));
      look([stream]);
    },
    leave(connection) {
      const stream = connection.listener?.stream;
      const all = stream && streams.get(stream);
      if (all?.delete(connection) && all.size === 0) streams.delete(stream as StreamName);
    },
    handleNotice({ words }) {
      look(words === null ? streams.keys() : words.filter(isStreamName));
    },
    listConnections: (stream) => streams.get(stream) ?? [],
    start() {
      timer ??= setInterval(() => look(streams.keys()), POLL_INTERVAL_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      streams.clear();
      await running;
    },
  };
}

/** Tells a connection that it is let in, and where it stands. */
export function sendReadyEvent(connection: SocketConnection): void {
  const { listener, lastId } = connection;
  if (!listener) return;
  const { side } = listener;
  const userId = side === 'ACCOUNT' ? listener.userId : null;
  const conversationId = side === 'FINDER' ? listener.conversationId : null;
  connection.send('ready', { side, userId, conversationId }, lastId);
}

type MessageFormatter = (row: RealtimeEventRow, listener: RealtimeListener) => string;

/** Makes the text of an event once for all who read it in one language. */
function createMessageFormatter(contents: EventContents): MessageFormatter {
  const format = new Map<string, string>();
  return (row, { locale }) => {
    const key = `${row.stream} ${row.seq} ${locale.tag}`;
    const known = format.get(key);
    if (known !== undefined) return known;
    const text = formatServerMessage(
      row.event,
      createEventData(contents, row, locale),
      row.id,
      row.createdAt,
    );
    format.set(key, text);
    return text;
  };
}

function sendEvent(
  connection: SocketConnection,
  row: RealtimeEventRow,
  format: MessageFormatter,
  onSent?: () => void,
): void {
  const { listener } = connection;
  if (!listener) return;
  connection.position = row.seq;
  connection.lastId = row.id;
  connection.sendText(format(row, listener), onSent);
}
