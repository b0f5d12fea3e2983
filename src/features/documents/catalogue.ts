import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

/** The errors, audit actions, permissions and encrypted columns of documents. */
export const documentsCatalogue = defineCatalogue({
  errors: {
    FILE_INFECTED: defineError(
      400,
      'The file holds malware.',
      'A scanner found something in it, and nothing of it was stored. Have the device that it comes from checked.',
    ),
    PASSCODE_REQUIRED: defineError(
      403,
      'A passcode is needed.',
      'Ask whoever sent the link for its passcode. Asking without one costs no try.',
    ),
    PASSCODE_INCORRECT: defineError(
      403,
      'The passcode is wrong.',
      '`attemptsLeft` says how many tries remain. No view was counted.',
    ),
    CURRENT_VERSION_NOT_DELETABLE: defineError(
      409,
      'The current version cannot be deleted.',
      'Earlier versions can be deleted one by one. Upload a new version first, or delete the document.',
    ),
    TOO_MANY_VERSIONS: defineError(
      409,
      'There are too many versions.',
      'A document has 20 versions at the most. Delete former ones with DELETE /api/documents/<id>/versions/<number>.',
    ),
    TOO_MANY_SHARES: defineError(
      409,
      'The document is shared too often.',
      'A document has 100 links that work and is given to 100 people at the most. End some first.',
    ),
    FILE_CHECK_PENDING: defineError(
      409,
      'The file is being checked for malware.',
      'It cannot be read until the check has finished. Try again later.',
      true,
    ),
    SHARE_EXPIRED: defineError(410, 'The link has expired.', 'Its owner let it end. Ask them for a new one.'),
    SHARE_USED_UP: defineError(
      410,
      'The link was used up.',
      'It was opened as often as its owner allows. Ask them for a new one.',
    ),
    FILE_TYPE_UNSUPPORTED: defineError(
      415,
      'Files of this type are not taken.',
      'What a file is, is seen by its content and not by its name. `accepted` lists what is taken; `detail` says why this one is not.',
    ),
  },
  auditActions: {
    DOCUMENT_CREATED: defineAction('LOW', 'DOCUMENT', 'A document was uploaded.'),
    DOCUMENT_VERSION_ADDED: defineAction('LOW', 'DOCUMENT', 'Another version of a document was uploaded.'),
    DOCUMENT_UPDATED: defineAction('LOW', 'DOCUMENT', 'What is said of a document was changed.'),
    DOCUMENT_VERSION_DELETED: defineAction(
      'MEDIUM',
      'DOCUMENT',
      'A former version of a document was deleted.',
    ),
    DOCUMENT_DELETED: defineAction('MEDIUM', 'DOCUMENT', 'A document was deleted with all of its versions.'),
    INFECTED_UPLOAD_REJECTED: defineAction(
      'HIGH',
      'DOCUMENT',
      'Malware was found in an upload; nothing was stored.',
    ),
    INFECTED_DOCUMENT_REMOVED: defineAction(
      'HIGH',
      'DOCUMENT',
      'Malware was found in a document that waited for its check; the file was removed.',
    ),
    DOCUMENT_READ: defineAction('MEDIUM', 'DOCUMENT', 'The content of a document was read.'),
    HEALTH_DOCUMENT_VIEWED: defineAction(
      'MEDIUM',
      'DOCUMENT',
      'The owner viewed the details of a health document, without its content.',
    ),
    HEALTH_DOCUMENT_LISTED: defineAction(
      'MEDIUM',
      'DOCUMENT',
      'A health document was in a list that its owner read.',
    ),
    DOCUMENT_SHARED: defineAction('MEDIUM', 'DOCUMENT', 'A link that opens a document was made.'),
    DOCUMENT_SHARE_ENDED: defineAction('LOW', 'DOCUMENT', 'A link to a document was ended by its owner.'),
    DOCUMENT_SHARE_OPENED: defineAction('MEDIUM', 'DOCUMENT', 'Somebody opened a document by a link.'),
    DOCUMENT_PASSCODE_REJECTED: defineAction(
      'MEDIUM',
      'DOCUMENT',
      'A wrong passcode was given for a link to a document.',
    ),
    DOCUMENT_GRANTED: defineAction('MEDIUM', 'DOCUMENT', 'Access to a document was granted to a user.'),
    DOCUMENT_GRANT_REVOKED: defineAction('LOW', 'DOCUMENT', 'Access to a document was revoked.'),
    GRANTED_DOCUMENT_READ: defineAction('MEDIUM', 'DOCUMENT', 'A user read a document granted to them.'),
    DOCUMENT_GRANT_DECLINED: defineAction(
      'LOW',
      'DOCUMENT',
      'A user declined access to a document granted to them.',
    ),
  },
  permissions: {
    'documents:own': {
      roles: EVERY_ROLE,
      meaning: 'Keep, read, change and delete documents of the own account.',
    },
  },
  encryptedColumns: [
    {
      table: 'documents',
      column: 'note',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'DOCUMENT',
    },
    {
      table: 'document_versions',
      column: 'file_name',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'document_grants',
      column: 'email',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
