import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

/** The errors, audit actions, permissions and encrypted columns of conversations. */
export const conversationsCatalogue = defineCatalogue({
  errors: {
    NOT_CONTACTABLE: defineError(
      403,
      'The owner cannot be written to.',
      'The owner of the code takes no messages, or none from you.',
    ),
    CONVERSATION_TOKEN_INVALID: defineError(
      403,
      'The token of the conversation is missing or wrong.',
      'Send the `conversationToken` that came with the conversation in the header X-Conversation-Token.',
    ),
    CONVERSATION_ENDED: defineError(
      409,
      'The conversation has ended.',
      'One side ended it, or it is too old: nobody can write in it any more. What was written can be read until it is removed.',
    ),
  },
  auditActions: {
    CONVERSATION_OPENED: defineAction(
      'LOW',
      'CONVERSATION',
      'Somebody who scanned a code wrote to its owner.',
    ),
    CONVERSATION_CONTINUED: defineAction('LOW', 'CONVERSATION', 'A message was written in a conversation.'),
    CONVERSATION_READ: defineAction(
      'LOW',
      'CONVERSATION',
      'Messages of a conversation were read for the first time.',
    ),
    CONVERSATION_ENDED: defineAction(
      'LOW',
      'CONVERSATION',
      'One side ended a conversation, or the administration.',
    ),
    FINDER_EMAIL_REMOVED: defineAction('LOW', 'CONVERSATION', 'A finder wants no mails of answers any more.'),
    FINDER_BLOCKED: defineAction(
      'MEDIUM',
      'CONVERSATION',
      'An owner blocked a finder, or the administration.',
    ),
    FINDER_UNBLOCKED: defineAction('LOW', 'CONVERSATION', 'An owner let a finder write again.'),
    CONVERSATION_REPORTED: defineAction('MEDIUM', 'CONVERSATION_REPORT', 'One side reported a conversation.'),
  },
  permissions: {
    'conversations:own': {
      roles: EVERY_ROLE,
      meaning: 'Read, answer, end and block conversations about the own codes.',
    },
  },
  encryptedColumns: [
    {
      table: 'conversations',
      column: 'finder_name',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION',
    },
    {
      table: 'conversations',
      column: 'finder_email',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION',
    },
    {
      table: 'conversation_messages',
      column: 'content',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'conversation_reports',
      column: 'note',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION_REPORT',
    },
    {
      table: 'conversation_reports',
      column: 'decision_note',
      rowId: 'id',
      owner: 'owner_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION_REPORT',
    },
  ],
});
