import pg from 'pg';
import { getErrorCodeOrName } from '../error-reason.ts';
import { startPgListening } from './pg-notify.repository.ts';

export const REALTIME_LISTENER_APPLICATION_NAME = 'qr-profile-service realtime';

const MIN_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 5_000;

interface NotificationListenerOptions {
  connectionString: string;
  onPayload: (text: string) => void;
  /** Connected or reconnected: notifications in between are lost. */
  onConnected: () => void;
  log: { warn(details: object, message: string): void };
}

/** Listen for notifications of other processes on a dedicated connection, and reconnect when it is lost. */
export function openPgNotificationListener({
  connectionString,
  onPayload,
  onConnected,
  log,
}: NotificationListenerOptions): {
  close(): Promise<void>;
} {
  let client: pg.Client | null = null;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
  void open();

  async function open(): Promise<void> {
    const connection = new pg.Client({
      connectionString,
      application_name: REALTIME_LISTENER_APPLICATION_NAME,
      keepAlive: true,
    });
    client = connection;
    let isLost = false;
    const handleConnectionLoss = (error?: Error) => {
      if (isLost || isClosed) return;
      isLost = true;
      log.warn({ reason: error ? getErrorCodeOrName(error) : 'ended' }, 'realtime: listener connection lost');
      connection.end().catch(() => undefined);
      reconnectTimer = setTimeout(open, reconnectDelayMs * (0.75 + Math.random() / 2)).unref();
      reconnectDelayMs = Math.min(reconnectDelayMs * 2, MAX_RECONNECT_DELAY_MS);
    };
    connection.on('error', handleConnectionLoss);
    connection.on('end', () => handleConnectionLoss());
    connection.on('notification', ({ payload = '' }) => onPayload(payload));
    try {
      await connection.connect();
      await startPgListening(connection);
    } catch (error) {
      handleConnectionLoss(error as Error);
      return;
    }
    reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
    if (!isClosed) onConnected();
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(reconnectTimer);
      await client?.end().catch(() => undefined);
    },
  };
}
