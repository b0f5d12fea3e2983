import type { Database, Db, Tx } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { Signal } from '../../platform/signal.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { Limiter } from '../../shared/limiter.ts';
import type { PositionKey } from './geocoding.repository.ts';
import type { ScanRecorder } from './record-scan.ts';

/** What scanning works with; put together in services.ts. */
export interface ScanServices {
  database: Database;
  fieldCipher: FieldCipher;
  /** Compares PINs, apart from passwords. */
  pins: PasswordHasher;
  createIdempotently: IdempotentHandler;
  geocoder: Geocoder;
  log: { warn(details: object, message: string): void };
  /** Runs what needs a transaction of its own, a few at a time. */
  scanLimiter: Limiter;
  /** Records scans, those of one moment together. */
  recordScan: ScanRecorder;
  /** From when on an owner's package keeps scans, where there are older ones; else null. */
  findRetentionStart(db: Db, ownerId: string): Promise<Date | null>;
  events: EventBus;
  /** Raised for each notification that is stored with a scan. */
  pendingNotifications: Signal;
  /** Has a server name a position later; null where none is configured. */
  requestGeocoding: ((tx: Tx, placed: PositionKey) => Promise<void>) | null;
}
