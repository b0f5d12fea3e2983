import pg from 'pg';
import { reasonOf } from '../error-reason.ts';
import { listenOn } from './announcement.repository.ts';

/** By which the database's server shows the connection. */
export const LISTENER_NAME = 'qr-profile-service realtime';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Options {
  connectionString: string;
  /** What others announced. */
  onText: (text: string) => void;
  /** The connection is there (again): whatever was announced meanwhile was missed. */
  onConnected: () => void;
  log: { warn(details: object, message: string): void };
}

/** Listens on a connection of its own to what other processes announce, and opens it again whenever it is lost. */
export function openListener({ connectionString, onText, onConnected, log }: Options): {
  close(): Promise<void>;
} {
  let client: pg.Client | null = null;
  let wait: NodeJS.Timeout | undefined;
  let isClosed = false;
  let pause = FIRST_PAUSE_MS;
  void open();

  async function open(): Promise<void> {
    const opened = new pg.Client({ connectionString, application_name: LISTENER_NAME, keepAlive: true });
    client = opened;
    let isLost = false;
    const lose = (error?: Error) => {
      if (isLost || isClosed) return;
      isLost = true;
      log.warn({ reason: error ? reasonOf(error) : 'ended' }, 'realtime: the listening connection is lost');
      opened.end().catch(() => undefined);
      wait = setTimeout(open, pause * (0.75 + Math.random() / 2)).unref();
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    opened.on('error', lose);
    opened.on('end', () => lose());
    opened.on('notification', ({ payload = '' }) => onText(payload));
    try {
      await opened.connect();
      await listenOn(opened);
    } catch (error) {
      lose(error as Error);
      return;
    }
    pause = FIRST_PAUSE_MS;
    if (!isClosed) onConnected();
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(wait);
      await client?.end().catch(() => undefined);
    },
  };
}
