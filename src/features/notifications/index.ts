export {
  type BreakGlassEvent,
  createAnniversaryNotification,
  createCodeExpiryNotification,
} from './create-notifications.ts';
export { failLostMailDeliveries, updateMailDelivery } from './delivery.repository.ts';
export { createNotificationDispatcher } from './dispatcher.ts';
export {
  insertNotification,
  insertNotifications,
  type NewNotification,
} from './insert-notification.repository.ts';
export {
  deleteExpiredNotifications,
  findNotifications,
  type NotificationRow,
} from './notification.repository.ts';
export { pickStrings, toNotificationView } from './notification.view.ts';
export { Notification, ReadAll, UnreadCount } from './notifications.schemas.ts';
export { createNotifier, publishCreatedNotifications } from './notifier.ts';
export { NotificationPreferences } from './preferences.schemas.ts';
export { failLostPushes } from './push/fail-lost-pushes.ts';
export { PushDevice } from './push/push-devices.schemas.ts';
export { createPushOutbox } from './push/push-outbox.ts';
export { createSendPushJob, PUSH_QUEUE } from './push/send-push.job.ts';
export { getNotificationSettings } from './settings.repository.ts';
export { createUnsubscribeUrl, REPLY_MAILS } from './unsubscribe-token.ts';
