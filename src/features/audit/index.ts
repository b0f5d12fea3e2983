export {
  AuditActionSchema,
  AuditEntry,
  AuditLogResponse,
  AuditVerificationResponse,
  OwnAuditEntry,
  OwnAuditLogResponse,
} from './audit-log.schemas.ts';
export { createAuditSealer } from './audit-sealer.ts';
export { createAuditSigner } from './audit-signer.ts';
export { exportAuditTrail } from './export-trail.ts';
export { AUDIT_RETENTION_QUEUE, createAuditRetentionJob } from './retention.job.ts';
export { TrailExportFormatError } from './trail-export-lines.ts';
export { verifyDatabaseTrail } from './verify-database-trail.ts';
export { PublicKeysError, verifyTrailExport } from './verify-trail-export.ts';
export type { TrailVerification } from './verify-trail-source.ts';
