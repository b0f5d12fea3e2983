import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabaseClient, type DatabaseClient } from '../database-client.ts';
import { getErrorCodeOrName } from '../error-reason.ts';
import { startPgListening } from './pg-notify.repository.ts';

export const REALTIME_LISTENER_APPLICATION_NAME = 'qr-profile-service realtime';

const MIN_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 5_000;

/** A listener only receives, so that it would never notice a peer that is gone. */
const HEARTBEAT_INTERVAL_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 3_000;

const CLOSE_TIMEOUT_MS = 500;

interface NotificationListenerOptions {
  url: string;
  heartbeatIntervalMs?: number;
  onPayload: (text: string) => void;
  /** Connected or reconnected: notifications in between are lost. */
  onConnected: () => void;
  log: { warn(details: object, message: string): void };
}

/** Listen for notifications of other processes on a dedicated connection, and reconnect when it is lost. */
export function openPgNotificationListener({
  url,
  heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS,
  onPayload,
  onConnected,
  log,
}: NotificationListenerOptions): {
  close(): Promise<void>;
} {
  let client: DatabaseClient | null = null;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let isReconnecting = false;
  let isAwaitingAnswer = false;
  let isClosed = false;
  let reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
  void open();

  async function open(): Promise<void> {
    isReconnecting = false;
    try {
      const connection = await connectDatabaseClient(url, {
        role: 'application',
        applicationName: REALTIME_LISTENER_APPLICATION_NAME,
      });
      if (isClosed) return void connection.end().catch(() => undefined);
      client = connection;
      let lossReason: unknown;
      connection.on('error', (error) => {
        lossReason = error;
      });
      connection.once('end', () => handleConnectionLoss(lossReason));
      connection.on('notification', ({ payload = '' }) => onPayload(payload));
      await startPgListening(connection);
      connection.setAnswerTimeout(HEARTBEAT_TIMEOUT_MS);
      heartbeat = setInterval(() => sendHeartbeat(connection), heartbeatIntervalMs).unref();
    } catch (error) {
      if (client) client.end().catch(() => undefined);
      else handleConnectionLoss(error);
      return;
    }
    reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
    if (!isClosed) onConnected();
  }

  function sendHeartbeat(connection: DatabaseClient): void {
    // A further statement would extend the wait for the answer.
    if (isAwaitingAnswer) return;
    isAwaitingAnswer = true;
    connection
      .query('SELECT 1')
      .catch(() => undefined)
      .finally(() => {
        isAwaitingAnswer = false;
      });
  }

  function handleConnectionLoss(reason: unknown): void {
    clearInterval(heartbeat);
    client = null;
    if (isClosed || isReconnecting) return;
    isReconnecting = true;
    log.warn({ reason: reason ? getErrorCodeOrName(reason) : 'ended' }, 'realtime: listener connection lost');
    reconnectTimer = setTimeout(open, reconnectDelayMs * (0.75 + Math.random() / 2)).unref();
    reconnectDelayMs = Math.min(reconnectDelayMs * 2, MAX_RECONNECT_DELAY_MS);
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(reconnectTimer);
      clearInterval(heartbeat);
      const closing = client?.end().catch(() => undefined);
      await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
