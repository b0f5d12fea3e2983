import type { Database } from '../../platform/database.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import type {
  AuditCheckpointFile,
  AuditCheckpointSender,
} from '../../providers/checkpoints/checkpoints.port.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { AUDIT_GAUGES } from './audit-gauges.ts';
import { auditLogRoutes } from './audit-log.routes.ts';
import {
  AuditActionSchema,
  AuditEntry,
  AuditLogResponse,
  AuditVerificationResponse,
  OwnAuditEntry,
  OwnAuditLogResponse,
} from './audit-log.schemas.ts';
import { createAuditSealer } from './audit-sealer.ts';
import { createAuditSigner } from './audit-signer.ts';
import { organizationAuditRoutes } from './organizations/organization-audit.routes.ts';
import {
  OrganizationAuditEntry,
  OrganizationAuditResponse,
  OrganizationAuditVerification,
} from './organizations/organization-audit.schemas.ts';
import { ownAuditLogRoutes } from './own-audit.routes.ts';
import { qrCodeHistoryRoutes } from './qrcode-history.routes.ts';
import { QrCodeHistory, QrCodeHistoryEntry } from './qrcode-history.schemas.ts';
import { AUDIT_RETENTION_QUEUE, createAuditRetentionJob } from './retention.job.ts';
import { trailVerificationRoutes } from './trail-verification.routes.ts';
import { createTrailLock } from './use-trail.ts';

interface AuditFeatureServices {
  config: { auditPublicKeys: string | undefined };
  secrets: { AUDIT_SIGNING_KEY: string };
  database: Database;
  checkpointFile: AuditCheckpointFile;
  sendCheckpoint: AuditCheckpointSender | undefined;
  log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

export const auditManifest: FeatureManifest = {
  name: 'audit',
  queues: [AUDIT_RETENTION_QUEUE],
  gauges: AUDIT_GAUGES,
  repeatedSchemas: { AuditAction: AuditActionSchema },
  schemas: [
    AuditActionSchema,
    AuditEntry,
    AuditLogResponse,
    AuditVerificationResponse,
    OwnAuditEntry,
    OwnAuditLogResponse,
    OrganizationAuditEntry,
    OrganizationAuditResponse,
    OrganizationAuditVerification,
    QrCodeHistoryEntry,
    QrCodeHistory,
  ],
};

export function createAuditFeature(shared: AuditFeatureServices) {
  const { config, secrets, database, checkpointFile, sendCheckpoint, log } = shared;
  const signer = createAuditSigner(secrets.AUDIT_SIGNING_KEY, config.auditPublicKeys);
  const audit = { database, signer, checkpointFile, sendCheckpoint, log, lock: createTrailLock() };
  const feature: Feature = {
    async plugin(app) {
      await app.register(auditLogRoutes, { prefix: '/api/admin/audit-logs', database, audit });
      await app.register(trailVerificationRoutes, { prefix: '/api/admin/audit-logs', database, audit });
      await app.register(ownAuditLogRoutes, { prefix: '/api/audit', database, audit });
      await app.register(organizationAuditRoutes, { prefix: '/api/organizations', database, audit });
      await app.register(qrCodeHistoryRoutes, { prefix: '/api/qrcodes', database, audit });
    },
    jobs: [
      {
        queue: AUDIT_RETENTION_QUEUE,
        handler: createAuditRetentionJob({ ...shared, signer }),
        intervalSeconds: HOUR_SECONDS,
      },
    ],
  };
  return { feature, services: { audit, sealer: createAuditSealer(audit) } };
}

export { toAuditFilter } from './audit-filter.ts';
export { type AuditFilter, listAuditEntries } from './audit-log.repository.ts';
export { AUDIT_OUTCOMES, type AuditEntry } from './audit-log.schemas.ts';
export { toAuditEntryView, toOwnAuditEntryView } from './audit-log.view.ts';
export type { AuditServices } from './audit-services.ts';
export { exportAuditTrail } from './export-trail.ts';
export { listQrCodeHistory, type QrCodeHistoryRow, toQrCodeHistoryView } from './list-qrcode-history.ts';
export { toOrganizationAuditEntryView } from './organizations/organization-audit.view.ts';
export {
  getAuditedOrganization,
  listOrganizationAudit,
  toOrganizationAuditFilter,
} from './organizations/read-organization-audit.ts';
export { verifyOrganizationEntries } from './organizations/verify-organization-entries.ts';
export { auditPersonalData } from './personal-data.ts';
export type { QrCodeHistoryEntry } from './qrcode-history.schemas.ts';
export { sendAuditExport } from './send-audit-export.ts';
export { TrailExportFormatError } from './trail-export-lines.ts';
export type { TrailFinding } from './trail-finding.ts';
export { translateAuditAction } from './translate-audit-action.ts';
export { sendSealedTrail, verifyTrailForClient } from './use-trail.ts';
export { type DatabaseTrailVerification, verifyDatabaseAuditTrail } from './verify-database-trail.ts';
export { PublicKeysError, verifyAuditTrailExport } from './verify-trail-export.ts';
export type { TrailVerification } from './verify-trail-source.ts';
