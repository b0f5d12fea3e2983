import { defineAuditAction, defineCatalogue } from '../../shared/catalogue.ts';

export const auditCatalogue = defineCatalogue({
  auditActions: {
    AUDIT_RANGE_DROPPED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'Audit entries past their retention period were dropped.',
    ),
    AUDIT_TRAIL_EXPORTED: defineAuditAction('HIGH', 'SYSTEM', 'The sealed audit trail was exported.'),
    AUDIT_LOG_LISTED: defineAuditAction('HIGH', 'SYSTEM', 'The audit trail was listed.'),
    AUDIT_LOG_EXPORTED: defineAuditAction('HIGH', 'SYSTEM', 'The audit trail was exported.'),
    AUDIT_LOG_VERIFIED: defineAuditAction('LOW', 'SYSTEM', 'The audit trail was verified.'),
  },
  permissions: {
    'audit:read': { roles: ['AUDITOR', 'ADMIN'], meaning: 'Read, export and verify the audit trail.' },
  },
});
