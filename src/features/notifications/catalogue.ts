import { defineAuditAction, defineCatalogue, EVERY_ROLE } from '../../shared/catalogue.ts';

export const notificationsCatalogue = defineCatalogue({
  auditActions: {
    NOTIFICATION_READ: defineAuditAction('LOW', 'NOTIFICATION', 'A notification was marked as read.'),
    NOTIFICATIONS_READ_ALL: defineAuditAction(
      'LOW',
      'NOTIFICATION',
      'All notifications were marked as read.',
    ),
    NOTIFICATION_DELETED: defineAuditAction('LOW', 'NOTIFICATION', 'A notification was deleted.'),
    NOTIFICATION_PREFERENCES_CHANGED: defineAuditAction(
      'LOW',
      'USER',
      'A user changed their notification preferences.',
    ),
    MAILS_UNSUBSCRIBED: defineAuditAction(
      'LOW',
      'USER',
      'A recipient unsubscribed from a type of email with its link.',
    ),
    PUSH_DEVICE_REGISTERED: defineAuditAction(
      'LOW',
      'SESSION',
      'A device was registered for push notifications.',
    ),
    PUSH_DEVICE_MOVED: defineAuditAction(
      'MEDIUM',
      'SESSION',
      'A device was registered by another account; the previous account no longer receives push notifications on it.',
    ),
    PUSH_TEST_SENT: defineAuditAction('LOW', 'SESSION', 'A test push notification was sent to a device.'),
    PUSH_DEVICE_REMOVED: defineAuditAction(
      'LOW',
      'SESSION',
      'A device was unregistered from push notifications.',
    ),
  },
  permissions: {
    'notifications:own': {
      roles: EVERY_ROLE,
      meaning: 'Read your own notifications and mark them as read.',
      scopes: { read: 'notifications:read', write: 'notifications:write' },
    },
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
