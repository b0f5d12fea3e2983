import { defineAction, defineCatalogue } from '../../shared/catalogue.ts';

export const auditCatalogue = defineCatalogue({
  auditActions: {
    AUDIT_RANGE_DROPPED: defineAction('HIGH', 'SYSTEM', 'Audit entries were dropped because of their age.'),
    AUDIT_TRAIL_EXPORTED: defineAction('HIGH', 'SYSTEM', 'The sealed audit trail was exported.'),
    AUDIT_LOG_LISTED: defineAction('HIGH', 'SYSTEM', 'Somebody read the audit trail.'),
    AUDIT_LOG_EXPORTED: defineAction('HIGH', 'SYSTEM', 'Somebody exported the audit trail.'),
    AUDIT_LOG_VERIFIED: defineAction('LOW', 'SYSTEM', 'Somebody had the audit trail verified.'),
  },
  permissions: {
    'audit:read': { roles: ['AUDITOR', 'ADMIN'], meaning: 'Read, export and verify the audit trail.' },
  },
});
