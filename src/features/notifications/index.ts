import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { WakeSignal } from '../../platform/signal.ts';
import type { PushProvider, WebPushProvider } from '../../providers/push/push.port.ts';
import type { MailOutbox } from '../mail/index.ts';
import { createNotificationDispatcher } from './dispatcher.ts';
import { deleteExpiredNotifications } from './notification.repository.ts';
import { NOTIFICATION_GAUGES } from './notification-gauges.ts';
import { notificationRoutes } from './notifications.routes.ts';
import { Notification, ReadAll, UnreadCount } from './notifications.schemas.ts';
import { notificationPreferencesRoutes } from './preferences.routes.ts';
import {
  ChannelPreferences,
  ChannelPreferencesChange,
  ConfigurableEventName,
  EventChannelPreferences,
  NotificationPreferences,
} from './preferences.schemas.ts';
import { failLostPushes } from './push/fail-lost-pushes.ts';
import { pushDeviceRoutes } from './push/push-devices.routes.ts';
import { PushDevice, TestPush } from './push/push-devices.schemas.ts';
import { createPushOutbox } from './push/push-outbox.ts';
import { createSendPushJob, PUSH_QUEUE } from './push/send-push.job.ts';
import { webPushRoutes } from './push/web-push.routes.ts';
import { WebPushKey } from './push/web-push.schemas.ts';
import { subscribeNotificationsToEvents } from './subscribe-notifications.ts';
import { mailUnsubscribeRoutes } from './unsubscribe.routes.ts';

interface NotificationServices {
  database: Database;
  events: DomainEventBus;
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  mailOutbox: MailOutbox;
  push: PushProvider | null;
  webPush: WebPushProvider;
  pendingNotifications: WakeSignal;
  publicBaseUrl: string;
  isEnterpriseEnforced: boolean;
  ownerPagesUrl: string | null;
  applicationUrl: string | null;
  log: { error(details: object, message: string): void };
}

const BATCH_SIZE = 500;
const CONCURRENCY = 8;

export const notificationsManifest: FeatureManifest = {
  name: 'notifications',
  queues: [PUSH_QUEUE],
  gauges: NOTIFICATION_GAUGES,
  schemas: [Notification, NotificationPreferences, UnreadCount, ReadAll, PushDevice, TestPush, WebPushKey],
  repeatedSchemas: {
    ChannelPreferences,
    ChannelPreferencesChange,
    ConfigurableEventName,
    EventChannelPreferences,
  },
};

export function createNotificationsFeature(shared: NotificationServices) {
  const { database } = shared;
  const pushOutbox = createPushOutbox(shared);
  const services = { ...shared, pushOutbox };
  const dispatcher = createNotificationDispatcher(services);
  subscribeNotificationsToEvents(shared.events, dispatcher.wake);
  shared.pendingNotifications.onRaised(dispatcher.wake);
  const feature: Feature = {
    async plugin(app) {
      await app.register(notificationRoutes, { prefix: '/api/notifications', ...services });
      await app.register(notificationPreferencesRoutes, { prefix: '/api/notifications', ...services });
      await app.register(mailUnsubscribeRoutes, { prefix: '/api/notifications', ...services });
      await app.register(webPushRoutes, { prefix: '/api/notifications', ...services });
      await app.register(pushDeviceRoutes, { prefix: '/api/notifications/devices', ...services });
    },
    jobs: [{ queue: PUSH_QUEUE, handler: createSendPushJob(services), concurrency: CONCURRENCY }],
    cleanUp: [
      () => failLostPushes(services),
      async () => {
        while ((await deleteExpiredNotifications(database.client, new Date(), BATCH_SIZE)) > 0);
      },
    ],
  };
  return { feature, services: { dispatcher, pushOutbox } };
}

export { getNotification, readAllNotifications, readNotification } from './change-notifications.use-case.ts';
export { findNotificationSettingErrors, updateNotificationSettings } from './change-settings.use-case.ts';
export { type EmailDeliveryRow, listLastEmailDeliveries } from './delivery.repository.ts';
export { findConfigurableMailKind } from './enqueue-notification-mail.ts';
export {
  findReadableNotificationsByIds,
  listNotifications,
  type NotificationRow,
} from './notification.repository.ts';
export { pickStringValues, toNotificationView } from './notification.view.ts';
export {
  CONFIGURABLE_EVENTS,
  type ConfigurableEvent,
  isChannelEnabledByDefault,
  NOTIFICATION_CHANNELS,
} from './notification-kinds.rules.ts';
export { NOTIFICATION_DELIVERY_STATUSES, Notification } from './notifications.schemas.ts';
export {
  findOwnerLinkSubject,
  type OwnerLinkSubject,
  ownerLinkToken,
} from './owner-link.ts';
export { notificationsPersonalData } from './personal-data.ts';
export {
  ConfigurableEventName,
  NotificationPreferences,
  NotificationPreferencesChange,
} from './preferences.schemas.ts';
export { toNotificationPreferencesView } from './preferences.view.ts';
export { findSubscriptionErrors } from './push/find-subscription-errors.ts';
export { isBrowserRegistered } from './push/is-browser-registered.ts';
export { listPushDevices } from './push/push-device.repository.ts';
export { registerWebPushSubscription, removePushDevice } from './push/register-device.use-case.ts';
export { sendTestPush } from './push/send-test-push.use-case.ts';
export { NewWebPushSubscription } from './push/web-push.schemas.ts';
export { getNotificationSettings } from './settings.repository.ts';
export { DIGEST_FREQUENCIES } from './settings.rules.ts';
export { unsubscribe } from './unsubscribe.use-case.ts';
export {
  findRecipientLocale,
  findUnsubscribeTarget,
  translateMailKind,
} from './unsubscribe-target.ts';
