import { ROLES_OF_MANAGEMENT } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const webhooksCatalogue = defineCatalogue({
  errors: {
    WEBHOOK_ENDPOINT_DISABLED: defineError(
      409,
      'The webhook endpoint is disabled.',
      'Enable it first: PATCH /api/webhook-endpoints/<id> with `"enabled": true`.',
    ),
    WEBHOOK_ENDPOINT_UNVERIFIED: defineError(
      409,
      'The webhook endpoint is not verified.',
      'Its address must return the challenge of the event `webhook_endpoint.verification`. POST /api/webhook-endpoints/<id>/test sends it again; or enter it: POST /api/webhook-endpoints/<id>/verify.',
    ),
    WEBHOOK_CHALLENGE_INCORRECT: defineError(
      400,
      'That is not the challenge of the webhook endpoint.',
      'It is `data.challenge` of the newest event `webhook_endpoint.verification` that its address received.',
    ),
    TOO_MANY_WEBHOOK_ENDPOINTS: defineError(
      409,
      'The account has too many webhook endpoints.',
      'An account can have up to 10. Delete one that is no longer used.',
    ),
  },
  auditActions: {
    WEBHOOK_ENDPOINT_CREATED: defineAuditAction('MEDIUM', 'USER', 'A webhook endpoint was created.'),
    WEBHOOK_ENDPOINT_UPDATED: defineAuditAction('MEDIUM', 'USER', 'A webhook endpoint was changed.'),
    WEBHOOK_ENDPOINT_DELETED: defineAuditAction('MEDIUM', 'USER', 'A webhook endpoint was deleted.'),
    WEBHOOK_ENDPOINT_DISABLED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A webhook endpoint that only failed was disabled.',
    ),
    WEBHOOK_ENDPOINT_VERIFIED: defineAuditAction(
      'MEDIUM',
      'USER',
      'The address of a webhook endpoint was verified.',
    ),
    WEBHOOK_SECRET_ROTATED: defineAuditAction('MEDIUM', 'USER', 'A webhook endpoint got a new secret.'),
    WEBHOOK_ENDPOINT_TESTED: defineAuditAction('LOW', 'USER', 'A test event was sent to a webhook endpoint.'),
    WEBHOOK_DELIVERIES_REPLAYED: defineAuditAction(
      'LOW',
      'USER',
      'Events were sent again to a webhook endpoint.',
    ),
  },
  permissions: {
    'webhooks:own': {
      roles: EVERY_ROLE,
      meaning: 'List your own events; create, read, update and delete your own webhook endpoints.',
      scopes: { read: 'webhooks:read', write: 'webhooks:write' },
      accountRoles: ROLES_OF_MANAGEMENT,
    },
  },
  encryptedColumns: [
    {
      table: 'webhook_endpoints',
      column: 'url',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'webhook_endpoints',
      column: 'secrets',
      rowId: 'id',
      owner: 'account_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
