import { defineAuditAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const personalDataCatalogue = defineCatalogue({
  errors: {
    EXPORT_KEY_REQUIRED: defineError(
      403,
      'An encryption key is required for the export.',
      'Send the public key of an age identity (age1…): `ageRecipient` in the body of POST /api/auth/exports or in the query of GET /api/auth/export.',
    ),
    EXPORT_IN_PROGRESS: defineError(
      409,
      'An export is already in progress.',
      'GET /api/auth/exports shows it. Request another one once it is READY or FAILED.',
    ),
    EXPORT_NOT_READY: defineError(
      409,
      'The export is not ready.',
      'Retry later: its status is WAITING.',
      true,
    ),
    EXPORT_FAILED: defineError(
      410,
      'The export failed or its file is missing. Request a new one.',
      'POST /api/auth/exports requests a new one. GET /api/auth/exports shows this one as FAILED.',
    ),
  },
  auditActions: {
    DATA_EXPORT_REQUESTED: defineAuditAction('MEDIUM', 'USER', 'A user requested an archive of their data.'),
    DATA_EXPORTED: defineAuditAction('HIGH', 'USER', 'An archive of all data of a user was created.'),
    DATA_EXPORT_FAILED: defineAuditAction(
      'MEDIUM',
      'USER',
      "An archive of a user's data could not be created, or its file is missing.",
    ),
    DATA_EXPORT_DOWNLOADED: defineAuditAction('HIGH', 'USER', 'A user downloaded the archive of their data.'),
    DATA_EXPORT_REMOVED: defineAuditAction(
      'LOW',
      'USER',
      `An archive of a user's data was deleted after ${formatLifetime('dataExport')}.`,
    ),
    IDENTITY_PROOF_REJECTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'An export or an erasure was requested without a recent proof of identity.',
    ),
    ORGANIZATION_ERASED: defineAuditAction('CRITICAL', 'ORGANIZATION', 'An organization was erased.'),
    ACCOUNT_ERASED: defineAuditAction('CRITICAL', 'USER', 'A user erased their account.'),
    ERASURE_FINISHED: defineAuditAction('HIGH', 'SYSTEM', 'The last data of an erased account was deleted.'),
  },
});
