import type { Tx } from '../../platform/database.ts';
import { findFirstUnreadMessages } from '../conversations/index.ts';
import type { AlarmHandling } from './alarms.rules.ts';
import { classifyAlarms } from './classify-alarms.ts';
import { getSingleScanWindowStart, usesSingleScanLimit } from './delivery.rules.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import {
  type DueNotification,
  findFirstScanNotificationIds,
  findNotificationRecipients,
  type NotificationRecipientRow,
} from './due-notification.repository.ts';
import { pickStringValues } from './notification.view.ts';
import { parseChannelPreferences } from './settings.repository.ts';
import type { RecipientSettings } from './settings.rules.ts';
import { DEFAULT_NOTIFICATION_SETTINGS, DIGEST_FREQUENCIES } from './settings.rules.ts';

export interface NotificationRecipient extends RecipientSettings {
  id: string;
  email: string;
  language: string;
}

export interface NotificationBatch {
  now: Date;
  /** By user id, without deleted users. */
  recipients: Map<string, NotificationRecipient>;
  firstScans: Set<string>;
  /** As `createFirstMessageKey` has them. */
  firstMessages: Set<string>;
  alarms: Map<string, AlarmHandling>;
  /** Users that a push can reach. */
  pushUsers: ReadonlySet<string>;
}

/** Load what decides on due notifications, in order of time, and on deferred ones, with one statement for each aspect. */
export async function loadNotificationBatch(
  { fieldCipher, pushOutbox }: Pick<NotificationDispatchServices, 'fieldCipher' | 'pushOutbox'>,
  tx: Tx,
  {
    due,
    deferred,
    now,
  }: { due: readonly DueNotification[]; deferred: readonly DueNotification[]; now: Date },
): Promise<NotificationBatch> {
  const notifications = [...due, ...deferred];
  const ids = [...new Set(notifications.map(({ userId }) => userId))];
  const recipients = new Map(
    (await findNotificationRecipients(tx, ids)).map((row) => [row.id, toRecipient(row)]),
  );
  return {
    now,
    recipients,
    firstScans: await findFirstScanNotificationIds(tx, listScanWindows(recipients, notifications)),
    alarms: await classifyAlarms(fieldCipher, tx, due),
    firstMessages: await findFirstMessages(tx, notifications),
    pushUsers: await pushOutbox.findReachableUsers(tx, ids),
  };
}

function listScanWindows(
  recipients: NotificationBatch['recipients'],
  notifications: readonly DueNotification[],
) {
  const windows = notifications.flatMap(({ userId, event, createdAt }) => {
    const recipient = recipients.get(userId);
    if (!recipient || !usesSingleScanLimit(recipient, event)) return [];
    return [{ userId, since: getSingleScanWindowStart(recipient, createdAt) }];
  });
  return [...new Map(windows.map((one) => [`${one.userId} ${one.since.getTime()}`, one])).values()];
}

async function findFirstMessages(tx: Tx, notifications: readonly DueNotification[]): Promise<Set<string>> {
  const threads = notifications.flatMap(({ userId, event, data }) =>
    event === 'message.created'
      ? [{ userId, conversationId: pickStringValues(data).conversationId ?? '' }]
      : [],
  );
  if (threads.length === 0) return new Set();
  const first = await findFirstUnreadMessages(
    tx,
    threads,
    notifications.map(({ id }) => id),
  );
  return new Set(first.map(createFirstMessageKey));
}

export function createFirstMessageKey({ userId, messageId }: { userId: string; messageId: string }): string {
  return `${userId} ${messageId}`;
}

function toRecipient({
  quietFrom: from,
  quietTo: to,
  ...row
}: NotificationRecipientRow): NotificationRecipient {
  const { id, email, language, timeZone, preferences } = row;
  return {
    id,
    email,
    language,
    timeZone,
    preferences: parseChannelPreferences(preferences),
    quietHours: from !== null && to !== null ? { from, to } : null,
    digest:
      DIGEST_FREQUENCIES.find((digest) => digest === row.digest) ?? DEFAULT_NOTIFICATION_SETTINGS.digest,
  };
}
