import type { Database } from '../../platform/database.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { FileKeeper } from '../files/file-keeper.ts';
import type { Plans } from '../subscriptions/plans.ts';

/** What documents work with. */
export interface DocumentServices
  extends Pick<Plans, 'planOf' | 'reserveRoom' | 'checkRoom' | 'isReadOnly' | 'refuseReadOnly'> {
  database: Database;
  vault: Vault;
  files: FileKeeper;
  createOnce: CreateOnce;
  config: { maxDocumentBytes: number };
}
