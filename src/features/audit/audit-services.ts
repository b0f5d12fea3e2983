import type { Database } from '../../platform/database.ts';
import type { AuditSigner } from './audit-signer.ts';
import type { VerifyTrailServices } from './verify-database-trail.ts';

export interface AuditServices {
  database: Database;
  audit: VerifyTrailServices & { database: Database; signer: AuditSigner };
}
