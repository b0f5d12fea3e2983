import type { Database, Tx } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';

/** What the routes of QR codes work with; put together in services.ts. */
export interface QrCodeServices {
  database: Database;
  vault: Vault;
  /** Hashes PINs, apart from passwords. */
  pins: PasswordHasher;
  createOnce: CreateOnce;
  publicBaseUrl: string;
  /** Folder of QR images. */
  qrImagesDir: string;
  /** Throws PLAN_LIMIT_REACHED when the owner's package has no room for one more code; until the commit nobody else takes it. */
  reserveQrCode(tx: Tx, ownerId: string): Promise<void>;
}
