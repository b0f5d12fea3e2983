import type { Database } from '../../platform/database.ts';
import type { AuditSigner } from './audit-signer.ts';
import type { AuditTrailVerificationServices } from './verify-database-trail.ts';

/** Whoever has it verifies or exports the whole trail. */
export interface TrailLock {
  /** @throws BUSY */
  acquire(): () => void;
}

export interface AuditServices {
  database: Database;
  audit: AuditTrailVerificationServices & { database: Database; signer: AuditSigner; lock: TrailLock };
}
