import { ROLES_OF_RECORDS } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const memoryTagsCatalogue = defineCatalogue({
  errors: {
    TOO_MANY_PENDING_ENTRIES: defineError(
      409,
      'The guest book has too many entries to decide on.',
      'A guest book can have up to 500 entries with the status PENDING. Approve or hide some of them first.',
    ),
  },
  auditActions: {
    MEMORY_TAG_CREATED: defineAuditAction('LOW', 'MEMORY_TAG', 'A memory tag was created.'),
    MEMORY_TAG_UPDATED: defineAuditAction('LOW', 'MEMORY_TAG', 'A memory tag was changed.'),
    MEMORY_TAG_DELETED: defineAuditAction('MEDIUM', 'MEMORY_TAG', 'A memory tag was deleted.'),
    PICTURE_ADDED: defineAuditAction('LOW', 'MEMORY_TAG', 'A picture was added to a memory tag.'),
    PICTURE_UPDATED: defineAuditAction(
      'LOW',
      'MEMORY_TAG',
      'The caption or the position of a picture was changed.',
    ),
    PICTURE_DELETED: defineAuditAction('MEDIUM', 'MEMORY_TAG', 'A picture of a memory tag was deleted.'),
    PICTURE_RESTORED: defineAuditAction(
      'LOW',
      'MEMORY_TAG',
      'A deleted picture of a memory tag was restored.',
    ),
    MEMORY_TAG_CARETAKER_ADDED: defineAuditAction(
      'MEDIUM',
      'MEMORY_TAG',
      'An owner added a caretaker to a memory tag.',
    ),
    MEMORY_TAG_CARETAKER_REMOVED: defineAuditAction(
      'MEDIUM',
      'MEMORY_TAG',
      'An owner removed a caretaker from a memory tag.',
    ),
    MEMORY_TAG_CARETAKER_LEFT: defineAuditAction('LOW', 'MEMORY_TAG', 'A caretaker left a memory tag.'),
    GUEST_BOOK_SIGNED: defineAuditAction('LOW', 'MEMORY_TAG', 'A visitor signed a guest book.'),
    GUEST_BOOK_ENTRY_APPROVED: defineAuditAction('LOW', 'MEMORY_TAG', 'A guest book entry was approved.'),
    GUEST_BOOK_ENTRY_HIDDEN: defineAuditAction('LOW', 'MEMORY_TAG', 'A guest book entry was hidden.'),
    GUEST_BOOK_ENTRY_DELETED: defineAuditAction('MEDIUM', 'MEMORY_TAG', 'A guest book entry was deleted.'),
    GUEST_BOOK_ENTRY_RESTORED: defineAuditAction(
      'LOW',
      'MEMORY_TAG',
      'A deleted guest book entry was restored.',
    ),
    GUEST_BOOK_ENTRY_WITHDRAWN: defineAuditAction(
      'LOW',
      'MEMORY_TAG',
      'A visitor withdrew a guest book entry.',
    ),
  },
  permissions: {
    'memory-tags:own': {
      roles: EVERY_ROLE,
      meaning: 'Create, read, update and delete your own memory tags; edit those of others as a caretaker.',
      scopes: { read: 'memory-tags:read', write: 'memory-tags:write' },
      accountRoles: ROLES_OF_RECORDS,
    },
  },
  encryptedColumns: [
    {
      table: 'guest_book_entries',
      column: 'content',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'memory_tag_caretakers',
      column: 'email',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
