import { WEBSOCKET_CLOSE_CODES, type WebSocket } from '../../platform/http/websocket.ts';
import type { StreamName } from '../../platform/realtime/streams.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import type { ServerEventName } from './realtime.schemas.ts';

/** Bytes that may wait for a client that does not read. */
const MAX_BUFFERED_BYTES = 1_048_576;
const PING_INTERVAL_MS = 30_000;
/** In so many milliseconds a client answers that it was told to go. */
const CLOSE_TIMEOUT_MS = 2_000;
/** A client that is answered with so many errors has no good in mind, or a bug. */
const MAX_ERRORS = 50;

/** Whom a socket was opened by, and what it hears. */
export type RealtimeListener = {
  stream: StreamName;
  locale: Locale;
} & (
  | { side: 'ACCOUNT'; userId: string; sessionId: string; expiresAt: number }
  | { side: 'FINDER'; conversationId: string; ownerId: string }
);

/** An open socket. */
export interface SocketConnection {
  /** Null until it was authenticated. */
  listener: RealtimeListener | null;
  /** Number of the last event of the stream that was sent. */
  position: number;
  /** Its id. */
  lastId: string;
  /** Whether it still is, and was not told to go. */
  isOpen(): boolean;
  /** Sends what is in no stream. */
  send(event: ServerEventName, data: object, id?: string | null): void;
  /** Sends a text; `taken` is called once it is with the system. Drops a client that does not read. */
  sendText(text: string, onSent?: () => void): void;
  /** Answers an event that was not followed. */
  sendError(code: string, message: string, event: string | null): void;
  close(code: number, reason: string): void;
  /** Pings now and then; drops one that does not answer. */
  keepAlive(now: number): void;
}

/** Wraps a socket. */
export function createSocketConnection(socket: WebSocket): SocketConnection {
  let pingedAt = Date.now();
  let isAlive = true;
  let isClosing = false;
  let errors = 0;
  socket.on('pong', () => {
    isAlive = true;
  });
  const connection: SocketConnection = {
    listener: null,
    position: 0,
    lastId: '',
    isOpen: () => !isClosing && socket.readyState === socket.OPEN,
    send(event, data, id = null) {
      connection.sendText(formatServerMessage(event, data, id, new Date()));
    },
    sendText(text, onSent) {
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
      if (connection.isOpen()) socket.send(text, () => onSent?.());
      else onSent?.();
    },
    sendError(code, message, event) {
      errors += 1;
      if (errors > MAX_ERRORS) connection.close(WEBSOCKET_CLOSE_CODES.policyViolation, 'too many errors');
      else connection.send('error', { code, message, event });
    },
    close(code, reason) {
      if (isClosing) return;
      isClosing = true;
      socket.close(code, reason);
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    },
    keepAlive(now) {
      if (now - pingedAt < PING_INTERVAL_MS) return;
      if (!isAlive) return socket.terminate();
      pingedAt = now;
      isAlive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    },
  };
  return connection;
}

/** A message of the service, as it is sent. */
export function formatServerMessage(event: string, data: object, id: string | null, at: Date): string {
  return JSON.stringify({ event, data, id, at: at.toISOString() });
}
