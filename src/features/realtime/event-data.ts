import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RealtimeEventRow } from '../../platform/realtime/event.repository.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { findMessagesByIds, type MessageRow, toMessageView } from '../conversations/index.ts';
import {
  findReadableNotificationsByIds,
  type NotificationRow,
  toNotificationView,
} from '../notifications/index.ts';

export interface RealtimeEventServices {
  database: Database;
  fieldCipher: FieldCipher;
  log: { warn(details: object, message: string): void };
}

/** Contents are loaded when events are sent, and not stored with them. */
export interface RealtimeEventContents {
  services: RealtimeEventServices;
  messages: ReadonlyMap<string, MessageRow>;
  notifications: ReadonlyMap<string, NotificationRow>;
}

export async function loadRealtimeEventContents(
  services: RealtimeEventServices,
  rows: readonly RealtimeEventRow[],
): Promise<RealtimeEventContents> {
  const { client } = services.database;
  const ids = (event: string, name: string) =>
    rows.flatMap((row) => (row.event === event && row.data[name] ? [row.data[name]] : []));
  const messageIds = ids('message.created', 'messageId');
  const notificationIds = ids('notification.created', 'notificationId');
  const messages = messageIds.length > 0 ? await findMessagesByIds(client, messageIds) : [];
  const notifications =
    notificationIds.length > 0 ? await findReadableNotificationsByIds(client, notificationIds) : [];
  return { services, messages: indexById(messages), notifications: indexById(notifications) };
}

export function createRealtimeEventData(
  contents: RealtimeEventContents,
  { event, data, stream }: RealtimeEventRow,
  locale: Locale,
): object {
  if (event === 'message.created') {
    const row = contents.messages.get(data.messageId ?? '');
    return {
      ...data,
      message: row
        ? createViewOrNull(contents, () => toMessageView(contents.services.fieldCipher, row, locale))
        : null,
    };
  }
  if (event === 'notification.created') {
    const row = contents.notifications.get(data.notificationId ?? '');
    return {
      ...data,
      notification:
        row && stream === `u:${row.userId}`
          ? createViewOrNull(contents, () => toNotificationView(row, locale))
          : null,
    };
  }
  return data;
}

// Contents that fail, such as by an integrity failure, must not block later events.
function createViewOrNull<View>({ services }: RealtimeEventContents, createView: () => View): View | null {
  try {
    return createView();
  } catch {
    services.log.warn({}, 'realtime: content of an event cannot be shown');
    return null;
  }
}

function indexById<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
