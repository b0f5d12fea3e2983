import type { Database, Tx } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { ScanQueue } from './scan-queue.ts';

/** What an owner is told of a scan. */
export interface ScanNews {
  ownerId: string;
  qrCodeId: string;
  scanId: string;
  title: string;
  isLost: boolean;
  /** The city, or what is known beyond it. */
  place: string | null;
}

/** What scanning works with; put together in services.ts. */
export interface ScanServices {
  database: Database;
  vault: Vault;
  /** Compares PINs, apart from passwords. */
  pins: PasswordHasher;
  createOnce: CreateOnce;
  geocoder: Geocoder;
  log: { warn(details: object, message: string): void };
  /** Writes scans a few at a time. */
  scanQueue: ScanQueue;
  /** Tells an owner about a scan, in its transaction. */
  notifyScan(tx: Tx, news: ScanNews): Promise<void>;
  /** Tells an owner that somebody used up the tries for a PIN. */
  notifyPinTries(tx: Tx, code: { ownerId: string; qrCodeId: string; title: string }): Promise<void>;
}
