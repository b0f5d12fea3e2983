import { defineAction, defineCatalogue, EVERY_ROLE } from '../../shared/catalogue.ts';

/** The audit actions, permissions and encrypted columns of notifications. */
export const notificationsCatalogue = defineCatalogue({
  auditActions: {
    NOTIFICATION_READ: defineAction('LOW', 'NOTIFICATION', 'A notification was marked as read.'),
    NOTIFICATIONS_READ_ALL: defineAction('LOW', 'NOTIFICATION', 'All notifications were marked as read.'),
    NOTIFICATION_DELETED: defineAction('LOW', 'NOTIFICATION', 'A notification was deleted.'),
    NOTIFICATION_PREFERENCES_CHANGED: defineAction(
      'LOW',
      'USER',
      'A person changed what they are told of, and how.',
    ),
    MAILS_UNSUBSCRIBED: defineAction(
      'LOW',
      'USER',
      'Mails of a kind were ended by the link that stands in each of them.',
    ),
    PUSH_DEVICE_REGISTERED: defineAction('LOW', 'SESSION', 'A device was registered for pushes.'),
    PUSH_DEVICE_MOVED: defineAction(
      'MEDIUM',
      'SESSION',
      'A device was registered by another account that is logged in on it; it gets the pushes of this one no longer.',
    ),
    PUSH_DEVICE_REMOVED: defineAction('LOW', 'SESSION', 'A person wants no pushes on a device any more.'),
  },
  permissions: {
    'notifications:own': { roles: EVERY_ROLE, meaning: 'Read and mark the own notifications.' },
  },
  encryptedColumns: [
    {
      table: 'push_devices',
      column: 'token',
      rowId: 'id',
      owner: 'user_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
