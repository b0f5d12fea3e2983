import type { Database, Db, Tx } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { Lane } from '../../shared/lane.ts';
import type { Placed } from './geocoding.repository.ts';
import type { ScanRecorder } from './record-scan.ts';
import type { LocationNews, ScanNews, ScanNotification } from './scan-news.ts';

/** What scanning works with; put together in services.ts. */
export interface ScanServices {
  database: Database;
  vault: Vault;
  /** Compares PINs, apart from passwords. */
  pins: PasswordHasher;
  createOnce: CreateOnce;
  geocoder: Geocoder;
  log: { warn(details: object, message: string): void };
  /** Runs what needs a transaction of its own, a few at a time. */
  scanQueue: Lane;
  /** Records scans, those of one moment together. */
  recordScan: ScanRecorder;
  /** From when on an owner's package keeps scans, where there are older ones; else null. */
  scansKeptSince(db: Db, ownerId: string): Promise<Date | null>;
  /** What an owner is told of a scan. */
  newsOfScan(news: ScanNews): ScanNotification;
  /** Has a server name a position later; null where none is configured. */
  askForAddress: ((tx: Tx, placed: Placed) => Promise<void>) | null;
  /** Tells an owner that whoever made a scan said where they are. */
  notifyLocation(tx: Tx, news: LocationNews): Promise<void>;
  /** Tells an owner that somebody used up the tries for a PIN. */
  notifyPinTries(tx: Tx, code: { ownerId: string; qrCodeId: string; title: string }): Promise<void>;
}
