import type { Tx } from '../../platform/database.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { insertNotificationDeliveries } from './delivery.repository.ts';
import {
  addDigestToNotificationList,
  claimDigestItems,
  deleteDigestItems,
  type PendingDigest,
  postponeDigest,
  upsertPendingDigests,
} from './digest.repository.ts';
import { createDigestContent, type DigestReason, getNewestScanData } from './digest-content.rules.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due-notification.repository.ts';
import { enqueueNotificationMail } from './enqueue-notification-mail.ts';
import type { NotificationBatch } from './load-notification-batch.ts';
import { isConfigurableEvent } from './notification-kinds.rules.ts';
import { findQuietHoursAt } from './quiet-hours.rules.ts';
import { isChannelEnabled } from './settings.rules.ts';

const REASON_BY_TYPE: Record<PendingDigest['type'], DigestReason> = { DEFAULT: 'DIGEST', ALERT: 'TOO_MANY' };

export interface DigestAssignment {
  userId: string;
  accountId: string;
  until: Date;
  reason: DigestReason;
}

/** Assign items to digests. If a digest was just sent, they go to the next one. */
export async function assignToDigests(
  tx: Tx,
  assignments: readonly DigestAssignment[],
  now: Date,
): Promise<void> {
  const late = await upsertPendingDigests(tx, toPendingDigests(assignments));
  const soon = new Date(now.getTime() + MINUTE_MS);
  const postponed = late.map(
    ({ userId, accountId, type }): DigestAssignment => ({
      userId,
      accountId,
      until: soon,
      reason: REASON_BY_TYPE[type],
    }),
  );
  if (postponed.length > 0) await upsertPendingDigests(tx, toPendingDigests(postponed));
}

/**
 * Send digests: one mail and one push per user and account. Items that were read are left out, and an empty digest is not sent. A digest of
 * scans waits for the end of quiet hours. The items of who no longer acts for the account are deleted.
 */
export async function sendDigests(
  services: NotificationDispatchServices,
  tx: Tx,
  batch: NotificationBatch,
  digests: readonly DueNotification[],
): Promise<void> {
  for (const type of ['ALERT', 'DEFAULT'] as const)
    await sendDigestsOfType(services, tx, batch, {
      type,
      digests: digests.filter((one) => one.type === type),
    });
}

async function sendDigestsOfType(
  services: NotificationDispatchServices,
  tx: Tx,
  { recipients, now }: NotificationBatch,
  { type, digests }: { type: PendingDigest['type']; digests: readonly DueNotification[] },
): Promise<void> {
  const unreadable = digests.filter(({ isReadable }) => !isReadable);
  if (unreadable.length > 0) await deleteDigestItems(tx, unreadable, REASON_BY_TYPE[type]);
  const open: DueNotification[] = [];
  for (const digest of digests) {
    if (!digest.isReadable) continue;
    const recipient = recipients.get(digest.userId);
    const quiet =
      type === 'DEFAULT' && recipient && findQuietHoursAt(recipient.quietHours, recipient.timeZone, now);
    if (quiet) await postponeDigest(tx, digest.id, quiet.until);
    else open.push(digest);
  }
  // Two of the same account are sent as one.
  const byAccount = [...open].reverse().map((one) => [`${one.userId} ${one.accountId}`, one] as const);
  const distinct = [...new Map(byAccount).values()].reverse();
  if (distinct.length === 0) return;
  const items = await claimDigestItems(tx, distinct, REASON_BY_TYPE[type]);
  for (const digest of distinct) {
    const { userId, accountId } = digest;
    const recipient = recipients.get(userId);
    if (!recipient) continue;
    const enabledItems = items.filter(
      (one) =>
        one.userId === userId &&
        one.accountId === accountId &&
        isConfigurableEvent(one.event) &&
        isChannelEnabled(recipient.preferences, one.event, one.channel),
    );
    const content = createDigestContent(enabledItems, recipient);
    if (!content) continue;
    const notificationId = digest.id;
    const data = { ...content.data, ...(type === 'ALERT' ? getNewestScanData(enabledItems) : {}) };
    await addDigestToNotificationList(tx, notificationId, data, now);
    if (content.channels.includes('PUSH')) await services.pushOutbox.post(tx, { userId, notificationId });
    if (!content.channels.includes('EMAIL')) continue;
    const mailId = await enqueueNotificationMail(services, tx, recipient, { ...digest, data });
    await insertNotificationDeliveries(tx, [
      { notificationId, userId, channel: 'EMAIL', status: 'WAITING', mailId },
    ]);
  }
}

function toPendingDigests(assignments: readonly DigestAssignment[]): PendingDigest[] {
  const digests = assignments.map(({ userId, accountId, until, reason }) => {
    const type: PendingDigest['type'] = reason === 'DIGEST' ? 'DEFAULT' : 'ALERT';
    const time = `${type === 'DEFAULT' ? 'digest' : 'alarms'}:${until.toISOString()}`;
    const key = accountId === userId ? time : `${time}:${accountId}`;
    return [`${userId} ${key}`, { userId, accountId, key, type, dueAt: until }] as const;
  });
  return [...new Map(digests).values()];
}
