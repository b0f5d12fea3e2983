import type { Database } from '../../platform/database.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { MalwareScanner } from '../../providers/malware/malware.port.ts';
import type { FileKeeper } from '../files/file-keeper.ts';
import type { Plans } from '../subscriptions/plans.ts';

/** What checks files, and what becomes of uploads while it is away: refused, or held until they were checked. */
export interface MalwareCheckServices {
  scanner: MalwareScanner;
  whenAway: 'refuse' | 'hold';
}

/** What documents work with. */
export interface DocumentServices
  extends Pick<Plans, 'planOf' | 'reserveRoom' | 'checkRoom' | 'isReadOnly' | 'refuseReadOnly'> {
  database: Database;
  vault: Vault;
  files: FileKeeper;
  createOnce: CreateOnce;
  /** Looks for malware in what is uploaded; null where nothing is configured. */
  malware: MalwareCheckServices | null;
  config: { maxDocumentBytes: number };
}
