import { ROLES_OF_PRIVATE_RECORDS } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const documentsCatalogue = defineCatalogue({
  errors: {
    FILE_INFECTED: defineError(
      400,
      'Malware was detected in the file.',
      'Nothing was stored. Check the device that the file comes from.',
    ),
    PASSCODE_REQUIRED: defineError(
      403,
      'A passcode is required.',
      'Ask the sender of the link for its passcode. A request without a passcode does not count as an attempt.',
    ),
    PASSCODE_INCORRECT: defineError(
      403,
      'The passcode is incorrect.',
      '`attemptsLeft` is the number of remaining attempts. No view was counted.',
    ),
    CURRENT_VERSION_NOT_DELETABLE: defineError(
      409,
      'The current version cannot be deleted.',
      'Delete another version, or upload or restore one first. To delete everything, delete the document.',
    ),
    TOO_MANY_VERSIONS: defineError(
      409,
      'The document has too many versions.',
      'A document can have up to 20 versions. Delete earlier ones with DELETE /api/documents/<id>/versions/<number>.',
    ),
    TOO_MANY_SHARES: defineError(
      409,
      'The document has too many recipients.',
      'A document can have up to 100 active links and up to 100 grants. End some of them first.',
    ),
    TOO_MANY_OFFERED_DOCUMENTS: defineError(
      409,
      'The page of the code has too many documents.',
      'The page of a code offers up to 5 documents. End one of their links first.',
    ),
    FILE_CHECK_PENDING: defineError(
      409,
      'The file is being checked for malware.',
      'The file cannot be read until the check has finished. Try again later.',
      true,
    ),
    SHARE_EXPIRED: defineError(
      410,
      'The link has expired.',
      'The owner of the document can create a new link.',
    ),
    SHARE_USED_UP: defineError(
      410,
      'The link has no views left.',
      'It has been opened the maximum number of times. The owner can create a new link.',
    ),
    FILE_TYPE_UNSUPPORTED: defineError(
      415,
      'The file type is not supported.',
      'The type is detected from the content, not from the name. `accepted` lists the supported types; `detail` gives the reason.',
    ),
  },
  auditActions: {
    DOCUMENT_CREATED: defineAuditAction('LOW', 'DOCUMENT', 'A document was uploaded.'),
    DOCUMENT_VERSION_ADDED: defineAuditAction('LOW', 'DOCUMENT', 'A new version of a document was uploaded.'),
    DOCUMENT_UPDATED: defineAuditAction('LOW', 'DOCUMENT', 'The metadata of a document was changed.'),
    DOCUMENT_VERSION_RESTORED: defineAuditAction(
      'LOW',
      'DOCUMENT',
      'Another version of a document became its current one.',
    ),
    DOCUMENT_VERSION_DELETED: defineAuditAction('MEDIUM', 'DOCUMENT', 'A version of a document was deleted.'),
    DOCUMENT_DELETED: defineAuditAction('MEDIUM', 'DOCUMENT', 'A document was deleted; it can be restored.'),
    DOCUMENT_RESTORED: defineAuditAction('LOW', 'DOCUMENT', 'A deleted document was restored.'),
    DOCUMENT_PURGED: defineAuditAction(
      'MEDIUM',
      'DOCUMENT',
      'A document was removed permanently with all its versions.',
    ),
    INFECTED_UPLOAD_REJECTED: defineAuditAction(
      'HIGH',
      'DOCUMENT',
      'Malware was detected in an upload; nothing was stored.',
    ),
    INFECTED_DOCUMENT_REMOVED: defineAuditAction(
      'HIGH',
      'DOCUMENT',
      'Malware was detected in a document that was waiting for its check; the file was deleted.',
    ),
    DOCUMENT_READ: defineAuditAction(
      'MEDIUM',
      'DOCUMENT',
      'The content of a document was read by its owner.',
    ),
    HEALTH_DOCUMENT_VIEWED: defineAuditAction(
      'MEDIUM',
      'DOCUMENT',
      'The owner viewed the metadata of a health document, without its content.',
    ),
    HEALTH_DOCUMENT_LISTED: defineAuditAction(
      'MEDIUM',
      'DOCUMENT',
      'The owner read a list that contains a health document.',
    ),
    DOCUMENT_SHARED: defineAuditAction('MEDIUM', 'DOCUMENT', 'A share link to a document was created.'),
    DOCUMENT_SHARE_ENDED: defineAuditAction('LOW', 'DOCUMENT', 'The owner ended a share link to a document.'),
    DOCUMENT_SHARE_OPENED: defineAuditAction(
      'MEDIUM',
      'DOCUMENT',
      'A document was opened with a share link.',
    ),
    DOCUMENT_PASSCODE_REJECTED: defineAuditAction(
      'MEDIUM',
      'DOCUMENT',
      'A wrong passcode was sent for a share link.',
    ),
    DOCUMENT_GRANTED: defineAuditAction('MEDIUM', 'DOCUMENT', 'Access to a document was granted to a user.'),
    DOCUMENT_GRANT_REVOKED: defineAuditAction('LOW', 'DOCUMENT', 'Access to a document was revoked.'),
    GRANTED_DOCUMENT_READ: defineAuditAction('MEDIUM', 'DOCUMENT', 'A user read a document granted to them.'),
    DOCUMENT_GRANT_DECLINED: defineAuditAction(
      'LOW',
      'DOCUMENT',
      'A user declined access to a document granted to them.',
    ),
  },
  permissions: {
    'documents:own': {
      roles: EVERY_ROLE,
      meaning: 'Create, read, update and delete your own documents.',
      scopes: { read: 'documents:read', write: 'documents:write' },
      accountRoles: ROLES_OF_PRIVATE_RECORDS,
    },
  },
  encryptedColumns: [
    {
      table: 'documents',
      column: 'note',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'DOCUMENT',
    },
    {
      table: 'document_versions',
      column: 'file_name',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'document_grants',
      column: 'email',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
