import { ROLES_OF_CONVERSATIONS } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const conversationsCatalogue = defineCatalogue({
  errors: {
    NOT_CONTACTABLE: defineError(
      403,
      'The owner cannot be contacted.',
      'The owner of the code does not accept messages or has blocked you.',
    ),
    CONVERSATION_TOKEN_INVALID: defineError(
      403,
      'The conversation token is missing or invalid.',
      'Send the `conversationToken` of the conversation in the header X-Conversation-Token.',
    ),
    CONVERSATION_ENDED: defineError(
      409,
      'The conversation has ended.',
      'A participant or an administrator ended it, or it expired. Messages can no longer be sent; they can be read until they are deleted.',
    ),
  },
  auditActions: {
    CONVERSATION_OPENED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A finder started a conversation with the owner of a code.',
    ),
    CONVERSATION_CONTINUED: defineAuditAction('LOW', 'CONVERSATION', 'A message was sent in a conversation.'),
    CONVERSATION_READ: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'Messages of a conversation were read for the first time.',
    ),
    CONVERSATION_ENDED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A participant or an administrator ended a conversation.',
    ),
    CONVERSATION_REOPENED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'An owner reopened a conversation that they had ended.',
    ),
    CONVERSATION_UPDATED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A conversation was marked as done or as open again, or who is to answer was changed.',
    ),
    CONVERSATION_NOTE_ADDED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A note about a conversation was written.',
    ),
    CONVERSATION_NOTE_UPDATED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A note about a conversation was changed.',
    ),
    CONVERSATION_NOTE_DELETED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A note about a conversation was deleted.',
    ),
    FINDER_EMAIL_CONFIRMED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A finder confirmed their address for emails about replies.',
    ),
    FINDER_EMAIL_REMOVED: defineAuditAction(
      'LOW',
      'CONVERSATION',
      'A finder unsubscribed from emails about replies.',
    ),
    FINDER_BLOCKED: defineAuditAction(
      'MEDIUM',
      'CONVERSATION',
      'An owner or an administrator blocked a finder.',
    ),
    FINDER_UNBLOCKED: defineAuditAction('LOW', 'CONVERSATION', 'An owner unblocked a finder.'),
    CONVERSATION_REPORTED: defineAuditAction(
      'MEDIUM',
      'CONVERSATION_REPORT',
      'A participant reported a conversation.',
    ),
  },
  permissions: {
    'conversations:own': {
      roles: EVERY_ROLE,
      meaning: 'Read, answer, end and block conversations about your own codes.',
      scopes: { read: 'conversations:read', write: 'conversations:write' },
      accountRoles: ROLES_OF_CONVERSATIONS,
    },
  },
  encryptedColumns: [
    {
      table: 'conversations',
      column: 'finder_name',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION',
    },
    {
      table: 'conversations',
      column: 'finder_email',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION',
    },
    {
      table: 'conversation_messages',
      column: 'content',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'conversation_notes',
      column: 'content',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'conversation_reports',
      column: 'note',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION_REPORT',
    },
    {
      table: 'conversation_reports',
      column: 'decision_note',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'CONVERSATION_REPORT',
    },
  ],
});
