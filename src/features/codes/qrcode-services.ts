import type { Database, Db, Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { GalleryServices } from '../files/index.ts';
import type { QrCodeRow } from './qrcode.repository.ts';
import type { OwnAddresses } from './scan-url.rules.ts';

export interface QrCodeServices extends GalleryServices, OwnAddresses {
  config: { cellId: string };
  database: Database;
  events: DomainEventBus;
  fieldCipher: FieldCipher;
  pins: PasswordHasher;
  /** For PINs of bulk requests and imports: logins and visitors go first. */
  batchPins: PasswordHasher;
  createIdempotently: IdempotentHandler;
  publicFiles: FileStore;
  jobs: JobScheduler;
  realtimeBus: Pick<RealtimeBus, 'publishToAccount'>;
  /** Locks the quota until COMMIT. Throws PLAN_LIMIT_REACHED when it is used up. */
  reserveQuota(tx: Tx, limit: 'qrCodes', accountId: string, amount?: number): Promise<void>;
  /** Locks the quota until COMMIT; returns how many of them the package allows. */
  reserveAvailableQuota(tx: Tx, limit: 'qrCodes', accountId: string, amount: number): Promise<number>;
  /** Throws PLAN_LIMIT_REACHED unless the package of the owner includes the feature. */
  assertFeature(db: Db, feature: string, accountId: string): Promise<void>;
  isReadOnly(db: Db, limit: 'qrCodes', row: QrCodeRow): Promise<boolean>;
  rejectReadOnlyChange(db: Db, limit: 'qrCodes', accountId: string): Promise<never>;
}
