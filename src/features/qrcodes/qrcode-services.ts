import type { Database, Db, Tx } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { QrCodeRow } from './qrcode.repository.ts';

/** What the routes of QR codes work with; put together in services.ts. */
export interface QrCodeServices {
  database: Database;
  vault: Vault;
  /** Hashes PINs, apart from passwords. */
  pins: PasswordHasher;
  createOnce: CreateOnce;
  publicBaseUrl: string;
  publicFiles: FileStore;
  /** Throws PLAN_LIMIT_REACHED when the owner's package has no room for one more code; until the commit nobody else takes it. */
  reserveRoom(tx: Tx, limit: 'qrCodes', ownerId: string): Promise<void>;
  /** Whether a code is beyond what its owner's package has room for. */
  isReadOnly(db: Db, limit: 'qrCodes', row: QrCodeRow): Promise<boolean>;
  /** Throws PLAN_LIMIT_REACHED for a change of such a code. */
  refuseReadOnly(db: Db, limit: 'qrCodes', ownerId: string): Promise<never>;
}
