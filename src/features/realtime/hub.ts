import type { Database } from '../../platform/database.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import {
  findRealtimeEventsAfter,
  findRealtimeStreamEnd,
  type RealtimeEventRow,
} from '../../platform/realtime/event.repository.ts';
import type { RealtimeMessage } from '../../platform/realtime/realtime-messages.ts';
import { isRealtimeStreamName, type RealtimeStreamName } from '../../platform/realtime/streams.ts';
import type { ConcurrencyLimiter } from '../../shared/limiter.ts';
import { type AuthorizedListener, formatServerMessage, type SocketConnection } from './connection.ts';
import {
  createRealtimeEventData,
  isRealtimeEventReadable,
  loadRealtimeEventContents,
  type RealtimeEventContents,
  type RealtimeEventServices,
} from './event-data.ts';
import { getReplayStart, STREAM_START_ID } from './realtime.rules.ts';

const BATCH_SIZE = 100;
/** Fallback for lost messages between instances. */
const POLL_INTERVAL_MS = 2_000;

export interface RealtimeHubServices extends RealtimeEventServices {
  database: Database;
  log: { warn(details: object, message: string): void };
}

export interface RealtimeHub {
  /** Replay the events after `since`, then send new ones. The connection must have a listener. */
  join(connection: SocketConnection, since: string | undefined): Promise<void>;
  leave(connection: SocketConnection): void;
  handleMessage(message: RealtimeMessage): void;
  listConnections(stream: RealtimeStreamName): Iterable<SocketConnection>;
  start(): void;
  stop(): Promise<void>;
}

/** Create the hub, which reads all streams with local sockets in one query and sends events by position. */
export function createRealtimeHub(
  services: RealtimeHubServices,
  limiter: ConcurrencyLimiter,
  /** Called before sockets receive that a conversation has ended. */
  onEnded: (conversationId: string) => void,
): RealtimeHub {
  const { database, log } = services;
  const streams = new Map<RealtimeStreamName, Set<SocketConnection>>();
  const due = new Set<RealtimeStreamName>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  function readSoon(candidates: Iterable<RealtimeStreamName>): void {
    for (const stream of candidates) if (streams.has(stream)) due.add(stream);
    if (due.size > 0) running ??= readAll().finally(() => (running = null));
  }

  async function readAll(): Promise<void> {
    try {
      while (due.size > 0) await readDue();
      isFailing = false;
    } catch (error) {
      // Positions are unchanged, so the next poll reads the same events.
      due.clear();
      if (!isFailing)
        log.warn({ reason: getErrorCodeOrName(error) }, 'realtime: events cannot be read, retrying');
      isFailing = true;
    }
  }

  async function readDue(): Promise<void> {
    const after = new Map<RealtimeStreamName, number>();
    for (const stream of due) {
      const positions = [...(streams.get(stream) ?? [])].map(({ position }) => position);
      if (positions.length > 0) after.set(stream, Math.min(...positions));
    }
    due.clear();
    const cursors = [...after].map(([stream, position]) => ({ stream, after: position }));
    if (cursors.length === 0) return;
    const rows = await findRealtimeEventsAfter(database.pool, cursors, BATCH_SIZE);
    const contents = await loadRealtimeEventContents(services, rows);
    const counts = new Map<RealtimeStreamName, number>();
    const formatMessage = createMessageFormatter(contents);
    for (const row of rows) {
      if (row.event === 'conversation.ended') onEnded(row.data.conversationId ?? '');
      counts.set(row.stream, (counts.get(row.stream) ?? 0) + 1);
      for (const connection of streams.get(row.stream) ?? []) {
        // A connection that joined in the meantime at an earlier position would skip events. The next read has them.
        if (connection.position < row.seq && connection.position >= (after.get(row.stream) ?? 0))
          sendEvent(connection, row, formatMessage);
      }
    }
    for (const [stream, count] of counts) if (count === BATCH_SIZE) due.add(stream);
  }

  // Waits for the socket between batches. Live events follow afterwards.
  async function catchUp(connection: SocketConnection, { stream }: AuthorizedListener): Promise<void> {
    while (connection.isOpen()) {
      const { rows, formatMessage } = await limiter(async () => {
        const missed = await findRealtimeEventsAfter(
          database.pool,
          [{ stream, after: connection.position }],
          BATCH_SIZE,
        );
        return {
          rows: missed,
          formatMessage: createMessageFormatter(await loadRealtimeEventContents(services, missed)),
        };
      });
      let onSent: Promise<void> | undefined;
      for (const row of rows)
        onSent = new Promise((resolve) => sendEvent(connection, row, formatMessage, () => resolve()));
      await onSent;
      if (rows.length < BATCH_SIZE) return;
    }
  }

  return {
    async join(connection, since) {
      const { listener } = connection;
      if (!listener) return;
      const { stream } = listener;
      const end = await limiter(() => findRealtimeStreamEnd(database.pool, stream, since ?? STREAM_START_ID));
      const { after, id, isLost } = getReplayStart(end, since);
      connection.position = after;
      connection.lastId = id;
      sendReadyEvent(connection);
      if (isLost) connection.send('resync', {}, id);
      else if (after < (end?.last ?? 0)) await catchUp(connection, listener);
      if (!connection.isOpen()) return;
      const others = streams.get(stream) ?? new Set();
      streams.set(stream, others.add(connection));
      readSoon([stream]);
    },
    leave(connection) {
      const stream = connection.listener?.stream;
      const all = stream && streams.get(stream);
      if (all?.delete(connection) && all.size === 0) streams.delete(stream as RealtimeStreamName);
    },
    handleMessage({ words }) {
      readSoon(words === null ? streams.keys() : words.filter(isRealtimeStreamName));
    },
    listConnections: (stream) => streams.get(stream) ?? [],
    start() {
      timer ??= setInterval(() => readSoon(streams.keys()), POLL_INTERVAL_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      streams.clear();
      await running;
    },
  };
}

export function sendReadyEvent(connection: SocketConnection): void {
  const { listener, lastId } = connection;
  if (!listener) return;
  const { side } = listener;
  const userId = side === 'ACCOUNT' ? listener.userId : null;
  const conversationId = side === 'FINDER' ? listener.conversationId : null;
  connection.send('ready', { side, userId, conversationId }, lastId);
}

/** Null for an event of an organization that the user has left. */
type MessageFormatter = (row: RealtimeEventRow, listener: AuthorizedListener) => string | null;

// Formats each event once per language.
function createMessageFormatter(contents: RealtimeEventContents): MessageFormatter {
  const texts = new Map<string, string>();
  return (row, { locale }) => {
    const key = `${row.stream} ${row.seq} ${locale.tag}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (!isRealtimeEventReadable(contents, row)) return null;
    const text = formatServerMessage(
      row.event,
      createRealtimeEventData(contents, row, locale),
      row.id,
      row.createdAt,
    );
    texts.set(key, text);
    return text;
  };
}

function sendEvent(
  connection: SocketConnection,
  row: RealtimeEventRow,
  formatMessage: MessageFormatter,
  onSent?: () => void,
): void {
  const { listener } = connection;
  if (!listener) return;
  connection.position = row.seq;
  connection.lastId = row.id;
  const text = formatMessage(row, listener);
  if (text === null) onSent?.();
  else connection.sendText(text, onSent);
}
