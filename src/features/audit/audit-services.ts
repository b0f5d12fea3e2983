import type { Database } from '../../platform/database.ts';
import type { AuditKeys } from './audit-keys.ts';
import type { VerifyServices } from './verify-trail.ts';

/** What the routes of the trail work with. */
export interface AuditServices {
  database: Database;
  audit: VerifyServices & { database: Database; keys: AuditKeys };
}
