import type { Tx } from '../../platform/database.ts';
import { findFirstUnreadMessageIds } from '../conversations/index.ts';
import type { AlarmHandling } from './alarms.rules.ts';
import { classifyAlarms } from './classify-alarms.ts';
import { getSingleScanWindowStart, type RecipientSettings, usesSingleScanLimit } from './delivery.rules.ts';
import {
  type DueNotification,
  findFirstScanNotifications,
  findRecipients,
  type RecipientRow,
} from './due-notification.repository.ts';
import { pickStrings } from './notification.view.ts';
import { parsePreferences } from './settings.repository.ts';
import { DEFAULT_NOTIFICATION_SETTINGS, DIGEST_FREQUENCIES } from './settings.rules.ts';

/** A person whom something is sent to. */
export interface Recipient extends RecipientSettings {
  id: string;
  email: string;
  language: string;
}

/** What is known of the notifications of a batch before anything is decided. */
export interface NotificationBatch {
  now: Date;
  /** By their ids; those whose account was erased are missing. */
  recipients: Map<string, Recipient>;
  /** Ordinary scans that an AUTOMATIC digest leaves to themselves. */
  firstScans: Set<string>;
  /** Messages that are the first of their conversation which the owner has not read. */
  firstMessages: Set<string>;
  /** How alarms are told, by the ids of their notifications. */
  alarms: Map<string, AlarmHandling>;
}

/** Reads what decides on notifications that are due, in the order of their time, and on those that were held back, of all of them at once. */
export async function loadNotificationBatch(
  tx: Tx,
  {
    due,
    held: deferred,
    now,
  }: { due: readonly DueNotification[]; held: readonly DueNotification[]; now: Date },
): Promise<NotificationBatch> {
  const notifications = [...due, ...deferred];
  const ids = [...new Set(notifications.map(({ userId }) => userId))];
  const recipients = new Map((await findRecipients(tx, ids)).map((row) => [row.id, toRecipient(row)]));
  return {
    now,
    recipients,
    firstScans: await findFirstScanNotifications(tx, listScanWindows(recipients, notifications)),
    alarms: await classifyAlarms(tx, due),
    firstMessages: await findFirstMessages(tx, notifications),
  };
}

/** Since when the ordinary scans of whom are to be counted, each window once. */
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
  const ids = notifications.flatMap(({ event, data }) =>
    event === 'MESSAGE_RECEIVED' ? [pickStrings(data).conversationId ?? ''] : [],
  );
  if (ids.length === 0) return new Set();
  return findFirstUnreadMessageIds(
    tx,
    ids,
    notifications.map(({ id }) => id),
  );
}

function toRecipient({ quietFrom: from, quietTo: to, ...row }: RecipientRow): Recipient {
  const { id, email, language, timeZone, preferences } = row;
  return {
    ...{ id, email, language, timeZone },
    preferences: parsePreferences(preferences),
    quietHours: from !== null && to !== null ? { from, to } : null,
    digest:
      DIGEST_FREQUENCIES.find((digest) => digest === row.digest) ?? DEFAULT_NOTIFICATION_SETTINGS.digest,
  };
}
