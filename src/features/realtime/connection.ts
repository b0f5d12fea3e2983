import { WEBSOCKET_CLOSE_CODES, type WebSocket } from '../../platform/http/websocket.ts';
import type { RealtimeStreamName } from '../../platform/realtime/streams.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import type { ServerEventName } from './realtime.schemas.ts';

/** A client that reads more slowly is disconnected. */
const MAX_BUFFERED_BYTES = 1_048_576;
const PING_INTERVAL_MS = 30_000;
/** The socket is terminated if the client does not complete the close handshake. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Stops clients that send only invalid events. */
const MAX_ERRORS = 50;

export type AuthorizedListener = {
  stream: RealtimeStreamName;
  locale: Locale;
} & (
  | { side: 'ACCOUNT'; userId: string; sessionId: string; expiresAt: number }
  | { side: 'FINDER'; conversationId: string; accountId: string }
);

export interface SocketConnection {
  /** Null until authenticated. */
  listener: AuthorizedListener | null;
  /** Sequence number of the last event that was sent. */
  position: number;
  lastId: string;
  /** False as soon as it starts to close. */
  isOpen(): boolean;
  send(event: ServerEventName, data: object, id?: string | null): void;
  /** Send a text, or terminate the socket if too much is buffered. `onSent` is called once it is written. */
  sendText(text: string, onSent?: () => void): void;
  sendError(code: string, message: string, event: string | null): void;
  close(code: number, reason: string): void;
  /** Close the socket of a client that sends too much, and read nothing more from it. */
  reject(reason: string): void;
  /** Ping at intervals, and terminate the socket without a pong. */
  keepAlive(now: number): void;
}

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
      if (errors > MAX_ERRORS) connection.reject('too many errors');
      else connection.send('error', { code, message, event });
    },
    close(code, reason) {
      if (isClosing) return;
      isClosing = true;
      socket.close(code, reason);
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    },
    reject(reason) {
      connection.close(WEBSOCKET_CLOSE_CODES.policyViolation, reason);
      socket.pause();
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

export function formatServerMessage(event: string, data: object, id: string | null, at: Date): string {
  return JSON.stringify({ event, data, id, at: at.toISOString() });
}
