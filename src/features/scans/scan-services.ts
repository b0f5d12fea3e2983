import type { Database, Db, Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';
import type { WakeSignal } from '../../platform/signal.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { ConcurrencyLimiter } from '../../shared/limiter.ts';
import type { ScanPositionRowKey } from './geocoding.repository.ts';
import type { ScanRecorder } from './record-scan.ts';

export interface ScanServices {
  database: Database;
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  isEnterpriseEnforced: boolean;
  pins: PasswordHasher;
  createIdempotently: IdempotentHandler;
  geocoder: Geocoder;
  log: { warn(details: object, message: string): void };
  scanLimiter: ConcurrencyLimiter;
  recordScan: ScanRecorder;
  /** Null when no scans are older. */
  findRetentionStart(db: Db, accountId: string): Promise<Date | null>;
  events: DomainEventBus;
  pendingNotifications: WakeSignal;
  realtimeBus: Pick<RealtimeBus, 'publishToAccount'>;
  requestGeocoding: ((tx: Tx, positionKey: ScanPositionRowKey) => Promise<void>) | null;
}
