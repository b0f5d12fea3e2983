import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

/** The errors, audit actions, permissions and encrypted columns of memory tags. */
export const memoryTagsCatalogue = defineCatalogue({
  errors: {
    TOO_MANY_PICTURES: defineError(
      409,
      'The memory tag has too many pictures.',
      'A memory tag can have 100 pictures at most. Delete one first.',
    ),
  },
  auditActions: {
    MEMORY_TAG_CREATED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was made.'),
    MEMORY_TAG_UPDATED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was changed.'),
    MEMORY_TAG_DELETED: defineAction('MEDIUM', 'MEMORY_TAG', 'A memory tag was deleted.'),
    PICTURE_ADDED: defineAction('LOW', 'MEMORY_TAG', 'A picture was added to a memory tag.'),
    PICTURE_UPDATED: defineAction('LOW', 'MEMORY_TAG', 'The caption or the place of a picture was changed.'),
    PICTURE_DELETED: defineAction('MEDIUM', 'MEMORY_TAG', 'A picture of a memory tag was deleted.'),
    MEMORY_TAG_CARETAKER_ADDED: defineAction(
      'MEDIUM',
      'MEMORY_TAG',
      'An owner added a caretaker to a memory tag.',
    ),
    MEMORY_TAG_CARETAKER_REMOVED: defineAction(
      'MEDIUM',
      'MEMORY_TAG',
      'An owner took back that somebody may help with a memory tag.',
    ),
    MEMORY_TAG_CARETAKER_LEFT: defineAction(
      'LOW',
      'MEMORY_TAG',
      'Somebody helps with a memory tag no longer.',
    ),
    GUEST_BOOK_SIGNED: defineAction('LOW', 'MEMORY_TAG', 'A visitor wrote in a guest book.'),
    GUEST_BOOK_ENTRY_APPROVED: defineAction(
      'LOW',
      'MEMORY_TAG',
      'An entry of a guest book was shown to visitors.',
    ),
    GUEST_BOOK_ENTRY_HIDDEN: defineAction(
      'LOW',
      'MEMORY_TAG',
      'An entry of a guest book was hidden from visitors.',
    ),
    GUEST_BOOK_ENTRY_DELETED: defineAction('MEDIUM', 'MEMORY_TAG', 'An entry of a guest book was deleted.'),
    GUEST_BOOK_ENTRY_WITHDRAWN: defineAction(
      'LOW',
      'MEMORY_TAG',
      'A visitor withdrew an entry of a guest book.',
    ),
  },
  permissions: {
    'memory-tags:own': {
      roles: EVERY_ROLE,
      meaning:
        'Make, read, change and delete memory tags of the own account; help with those of others who ask for it.',
    },
  },
  encryptedColumns: [
    {
      table: 'guest_book_entries',
      column: 'content',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'memory_tag_caretakers',
      column: 'email',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
