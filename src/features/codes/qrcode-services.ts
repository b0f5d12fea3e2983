import type { Database, Db, Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { QrCodeRow } from './qrcode.repository.ts';

/** What the routes of QR codes work with; put together in services.ts. */
export interface QrCodeServices {
  database: Database;
  fieldCipher: FieldCipher;
  /** Hashes PINs, apart from passwords. */
  pins: PasswordHasher;
  createIdempotently: IdempotentHandler;
  publicBaseUrl: string;
  publicFiles: FileStore;
  /** Throws PLAN_LIMIT_REACHED when the owner's package has no room for one more code; until the commit nobody else takes it. */
  reserveQuota(tx: Tx, limit: 'qrCodes', ownerId: string): Promise<void>;
  /** Whether a code is beyond what its owner's package has room for. */
  isReadOnly(db: Db, limit: 'qrCodes', row: QrCodeRow): Promise<boolean>;
  /** Throws PLAN_LIMIT_REACHED for a change of such a code. */
  rejectReadOnlyChange(db: Db, limit: 'qrCodes', ownerId: string): Promise<never>;
}
