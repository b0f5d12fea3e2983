import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { findMemberships } from '../../platform/membership.repository.ts';
import type { RealtimeEventRow } from '../../platform/realtime/event.repository.ts';
import { getStreamSubject } from '../../platform/realtime/streams.ts';
import type { AccountRole } from '../../shared/account-roles.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
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
  isEnterpriseEnforced: boolean;
}

/** Contents are loaded when events are sent, and not stored with them. */
export interface RealtimeEventContents {
  services: RealtimeEventServices;
  messages: ReadonlyMap<string, MessageRow>;
  notifications: ReadonlyMap<string, NotificationRow>;
  /** Of the users of the streams in the organizations that events are about. */
  roles: ReadonlyMap<string, AccountRole>;
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
  return {
    services,
    messages: indexById(messages),
    notifications: indexById(notifications),
    roles: await loadRoles(services, rows),
  };
}

async function loadRoles(
  { database, isEnterpriseEnforced }: RealtimeEventServices,
  rows: readonly RealtimeEventRow[],
): Promise<Map<string, AccountRole>> {
  const keys = rows.flatMap(({ stream, data: { accountId } }) =>
    accountId ? [{ accountId, userId: getStreamSubject(stream) }] : [],
  );
  const found = keys.length > 0 ? await findMemberships(database.client, keys, isEnterpriseEnforced) : [];
  return new Map(found.map(({ accountId, userId, role }) => [`${accountId} ${userId}`, role]));
}

/** Check that the user of a stream still acts for the organization that an event is about, if it is about one. */
export function isRealtimeEventReadable(
  { roles }: Pick<RealtimeEventContents, 'roles'>,
  { event, stream, data: { accountId } }: Pick<RealtimeEventRow, 'event' | 'stream' | 'data'>,
): boolean {
  if (!accountId) return true;
  const role = roles.get(`${accountId} ${getStreamSubject(stream)}`);
  return role !== undefined && (event === 'notification.created' || ROLES_BY_TOPIC.MESSAGES.includes(role));
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
