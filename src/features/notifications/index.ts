import type { Database } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { Signal } from '../../platform/signal.ts';
import type { PushProvider } from '../../providers/push/push.port.ts';
import type { MailOutbox } from '../mail/index.ts';
import { createNotificationDispatcher } from './dispatcher.ts';
import { deleteExpiredNotifications } from './notification.repository.ts';
import { notificationRoutes } from './notifications.routes.ts';
import { Notification, ReadAll, UnreadCount } from './notifications.schemas.ts';
import { preferencesRoutes } from './preferences.routes.ts';
import { NotificationPreferences } from './preferences.schemas.ts';
import { failLostPushes } from './push/fail-lost-pushes.ts';
import { pushDeviceRoutes } from './push/push-devices.routes.ts';
import { PushDevice } from './push/push-devices.schemas.ts';
import { createPushOutbox } from './push/push-outbox.ts';
import { createSendPushJob, PUSH_QUEUE } from './push/send-push.job.ts';
import { subscribeNotifications } from './subscribe-notifications.ts';
import { unsubscribeRoutes } from './unsubscribe.routes.ts';

interface NotificationServices {
  database: Database;
  events: EventBus;
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  mailOutbox: MailOutbox;
  push: PushProvider | null;
  pendingNotifications: Signal;
  publicBaseUrl: string;
  isEnterpriseEnforced: boolean;
  applicationUrl: string | null;
  log: { error(details: object, message: string): void };
}

const BATCH_SIZE = 500;
const CONCURRENCY = 8;

export const notificationsManifest: FeatureManifest = {
  name: 'notifications',
  queues: [PUSH_QUEUE],
  schemas: [Notification, NotificationPreferences, UnreadCount, ReadAll, PushDevice],
};

export function createNotifications(shared: NotificationServices) {
  const { database, jobs, push } = shared;
  const pushOutbox = createPushOutbox({ jobs, isConfigured: push !== null });
  const services = { ...shared, pushOutbox };
  const dispatcher = createNotificationDispatcher(services);
  subscribeNotifications(shared.events, dispatcher.wake);
  shared.pendingNotifications.onRaised(dispatcher.wake);
  const feature: Feature = {
    async plugin(app) {
      await app.register(notificationRoutes, { prefix: '/api/notifications', ...services });
      await app.register(preferencesRoutes, { prefix: '/api/notifications', ...services });
      await app.register(unsubscribeRoutes, { prefix: '/api/notifications', ...services });
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

export {} from './create-notifications.ts';
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
export { keepStringValues, toNotificationView } from './notification.view.ts';
export { Notification, ReadAll, UnreadCount } from './notifications.schemas.ts';
export { notificationsPersonalData } from './personal-data.ts';
export { NotificationPreferences } from './preferences.schemas.ts';
export { failLostPushes } from './push/fail-lost-pushes.ts';
export { PushDevice } from './push/push-devices.schemas.ts';
export { createPushOutbox } from './push/push-outbox.ts';
export { createSendPushJob, PUSH_QUEUE } from './push/send-push.job.ts';
export { getNotificationSettings } from './settings.repository.ts';
