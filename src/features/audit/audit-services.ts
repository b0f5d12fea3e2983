import type { Database } from '../../platform/database.ts';
import type { AuditSigner } from './audit-signer.ts';
import type { AuditTrailVerificationServices } from './verify-database-trail.ts';

export interface AuditServices {
  database: Database;
  audit: AuditTrailVerificationServices & { database: Database; signer: AuditSigner };
}
