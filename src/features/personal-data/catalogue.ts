import { defineAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';

/** The errors, audit actions and encrypted columns of personal data. */
export const personalDataCatalogue = defineCatalogue({
  errors: {
    FRESH_LOGIN_REQUIRED: defineError(
      403,
      'Log in again first.',
      'Asked for is what a stolen session must not get: the last log-in may be 15 minutes ago at the most. Refreshing a token is no log-in.',
    ),
    EXPORT_KEY_REQUIRED: defineError(
      403,
      'The export must be encrypted to a key of yours.',
      'Give the public key of an age identity (age1…): `ageRecipient` in the body of POST /api/auth/exports, `recipient` in the query of GET /api/auth/export.',
    ),
    EXPORT_IN_PROGRESS: defineError(
      409,
      'An export is already in progress.',
      'GET /api/auth/exports shows it. Request another one once it is READY or FAILED.',
    ),
    EXPORT_NOT_READY: defineError(
      409,
      'The export is not ready.',
      'While its status is WAITING ask again later; after FAILED ask for a new one.',
      true,
    ),
  },
  auditActions: {
    DATA_EXPORT_REQUESTED: defineAction('MEDIUM', 'USER', 'A person asked for an archive of their data.'),
    DATA_EXPORTED: defineAction('HIGH', 'USER', 'An archive of all data of a person was made.'),
    DATA_EXPORT_FAILED: defineAction('MEDIUM', 'USER', "An archive of a person's data could not be made."),
    DATA_EXPORT_DOWNLOADED: defineAction('HIGH', 'USER', 'A person fetched the archive of their data.'),
    DATA_EXPORT_REMOVED: defineAction(
      'LOW',
      'USER',
      "An archive of a person's data was removed after its seven days.",
    ),
    IDENTITY_PROOF_REJECTED: defineAction(
      'MEDIUM',
      'USER',
      'An export or an erasure was asked for without a fresh proof of who asks.',
    ),
    ACCOUNT_ERASED: defineAction('CRITICAL', 'USER', 'A person erased their account.'),
    ERASURE_FINISHED: defineAction(
      'HIGH',
      'SYSTEM',
      'The last of what belonged to an erased account was removed.',
    ),
  },
  encryptedColumns: [
    {
      table: 'data_exports',
      column: 'file_key',
      rowId: 'id',
      owner: 'user_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
