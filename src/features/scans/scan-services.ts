import type { Database, Db, Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { Limiter } from '../../shared/limiter.ts';
import type { PositionKey } from './geocoding.repository.ts';
import type { ScanRecorder } from './record-scan.ts';
import type { ScanEvent, ScanLocatedEvent, ScanNotification } from './scan-notification.ts';

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
  /** What an owner is told of a scan. */
  createScanNotification(news: ScanEvent): ScanNotification;
  /** Has a server name a position later; null where none is configured. */
  requestGeocoding: ((tx: Tx, placed: PositionKey) => Promise<void>) | null;
  /** Tells an owner that whoever made a scan said where they are. */
  notifyLocation(tx: Tx, news: ScanLocatedEvent): Promise<void>;
  /** Tells an owner that somebody used up the tries for a PIN. */
  notifyPinAttemptsExhausted(
    tx: Tx,
    code: { ownerId: string; qrCodeId: string; title: string },
  ): Promise<void>;
}
