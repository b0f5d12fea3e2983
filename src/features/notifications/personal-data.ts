import { type Static, Type } from 'typebox';
import {
  defineExportedList,
  defineExportedRows,
  defineExportedValue,
  definePersonalData,
  defineTableDeletedOnErasure,
  type PersonalDataExportContext,
} from '../../platform/personal-data.ts';
import { combineErasureSteps, createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { translateNotification } from '../../shared/i18n/notification-text.ts';
import { pickStringValues } from './notification.view.ts';
import { findNotificationsByIds, listPushDevicesForExport } from './personal-data.repository.ts';
import { createReadableSql } from './readable-notification.repository.ts';
import { getNotificationSettings } from './settings.repository.ts';

const Text = Type.String();
const AnyObject = Type.Record(Type.String(), Type.Unknown());

const ExportedDevice = Type.Object({
  id: Id,
  platform: Text,
  name: nullable(Text),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
});

const ExportedNotification = Type.Object({
  id: Id,
  type: Text,
  event: Text,
  title: Text,
  body: Text,
  data: AnyObject,
  deliveries: Type.Array(
    Type.Object({ channel: Text, status: Text, reason: nullable(Text), at: Timestamp }),
    { description: 'Deliveries by email and push.' },
  ),
  readAt: nullable(Timestamp),
  createdAt: Timestamp,
});

const ExportedNotificationSettings = Type.Object({
  preferences: AnyObject,
  quietHours: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  digest: Text,
});

type NotificationRow = Awaited<ReturnType<typeof findNotificationsByIds>>[number];

export const notificationsPersonalData = definePersonalData({
  tables: {
    notifications: defineTableDeletedOnErasure(
      { in: 'notifications' },
      {
        how: 'Those of the user, and those about an erased organization, whoever received them.',
        erase: combineErasureSteps(
          createRowDeletionStep('notifications', 'user_id'),
          createRowDeletionStep('notifications', 'account_id'),
        ),
        size: { users: ['user_id'] },
      },
    ),
    notification_deliveries: defineTableDeletedOnErasure(
      { in: 'notifications' },
      { how: 'With their notifications.' },
    ),
    notification_settings: defineTableDeletedOnErasure(
      { in: 'notificationSettings' },
      { erase: createRowDeletionStep('notification_settings', 'user_id', 'user_id') },
    ),
    push_devices: defineTableDeletedOnErasure(
      { in: 'devices' },
      {
        how: 'Every device of the account, with its token.',
        erase: createRowDeletionStep('push_devices', 'user_id'),
      },
    ),
  },
  lists: {
    devices: defineExportedList({
      item: ExportedDevice,
      description: 'Devices that receive push notifications.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const rows = await listPushDevicesForExport(db, userId);
        yield rows.map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
          lastUsedAt: row.lastUsedAt.toISOString(),
        }));
      },
    }),
    notifications: defineExportedRows({
      item: ExportedNotification,
      description: 'Newest first.',
      sources: [
        {
          table: 'notifications',
          user: 'user_id',
          at: 'created_at',
          // As in the list: not those of an organization that the user has left.
          where: `dismissed_at IS NULL AND ${createReadableSql('notifications')}`,
        },
      ],
      findByIds: findNotificationsByIds,
      toItem: (_context, row) => toExportedNotification(row),
    }),
    notificationSettings: defineExportedValue({
      schema: ExportedNotificationSettings,
      async read({ db, userId }: PersonalDataExportContext) {
        const { version: _version, ...settings } = await getNotificationSettings(db, userId);
        return settings;
      },
    }),
  },
});

/** Convert a notification, with its text in the user's language. */
function toExportedNotification(row: NotificationRow): Static<typeof ExportedNotification> {
  const data = pickStringValues(row.data);
  return {
    id: row.id,
    type: row.type,
    event: row.event,
    ...translateNotification(toSupportedLocale(row.user.language), { event: row.event, data }),
    data,
    deliveries: row.deliveries.map(({ channel, status, reason, statusChangedAt }) => ({
      channel,
      status,
      reason,
      at: statusChangedAt.toISOString(),
    })),
    readAt: row.readAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
