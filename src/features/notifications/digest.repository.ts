import type { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { generateId } from '../../shared/ids.ts';
import type { DigestItem, DigestReason } from './digest-content.rules.ts';

export interface PendingDigest {
  userId: string;
  /** A digest is about one account. */
  accountId: string;
  key: string;
  /** ALERT ignores quiet hours. */
  type: 'DEFAULT' | 'ALERT';
  dueAt: Date;
}

/**
 * Insert pending digests, or lock existing ones until this transaction has added to them. Pending digests are not listed.
 * Returns those that were already sent, to which nothing can be added.
 */
export async function upsertPendingDigests(
  tx: Tx,
  digests: readonly PendingDigest[],
): Promise<PendingDigest[]> {
  if (digests.length === 0) return [];
  // Sorted, so that concurrent processes do not deadlock.
  const sorted = [...digests].sort((one, other) =>
    one.userId + one.key < other.userId + other.key ? -1 : 1,
  );
  const rows = await querySql<{ userId: string; key: string }>(tx)`
    INSERT INTO notifications (id, user_id, account_id, key, due_at, type, event, read_at, dismissed_at)
    SELECT id, user_id, account_id, key, due_at, type, 'scan.digest', now(), now()
    FROM unnest(${sorted.map(() => generateId())}::text[], ${sorted.map(({ userId }) => userId)}::text[],
                ${sorted.map(({ accountId }) => accountId)}::text[],
                ${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ dueAt }) => dueAt)}::timestamptz[],
                ${sorted.map(({ type }) => type)}::text[])
      AS digest (id, user_id, account_id, key, due_at, type)
    ON CONFLICT (user_id, key) DO UPDATE SET key = excluded.key WHERE notifications.due_at IS NOT NULL
    RETURNING user_id AS "userId", key`;
  const stored = new Set(rows.map(({ userId, key }) => `${userId} ${key}`));
  return sorted.filter(({ userId, key }) => !stored.has(`${userId} ${key}`));
}

/** Claim the waiting items of digests of a kind, and return the unread ones grouped by code. */
export async function claimDigestItems(
  tx: Tx,
  digests: readonly Pick<PendingDigest, 'userId' | 'accountId'>[],
  reason: DigestReason,
): Promise<DigestItem[]> {
  return querySql<DigestItem>(tx)`
    WITH item AS (
      UPDATE notification_deliveries AS delivery SET status = 'NOT_SENT', status_changed_at = now()
      FROM unnest(${digests.map(({ userId }) => userId)}::text[], ${digests.map(({ accountId }) => accountId)}::text[])
             AS digest (user_id, account_id), notifications AS notification
      WHERE delivery.user_id = digest.user_id AND status = 'WAITING' AND reason = ${reason}
        AND notification.id = delivery.notification_id AND notification.account_id = digest.account_id
      RETURNING delivery.user_id, channel, notification_id
    )
    SELECT item.user_id AS "userId", account_id AS "accountId", channel, event, data->>'code' AS title, min(created_at) AS since,
           array_agg(DISTINCT coalesce(data->>'scanId', notification_id)) AS scans,
           (array_agg(data ORDER BY created_at DESC, notification_id DESC))[1] AS newest, max(created_at) AS until
    FROM item JOIN notifications ON notifications.id = notification_id
    WHERE read_at IS NULL
    GROUP BY item.user_id, account_id, channel, event, data->>'code'
    ORDER BY count(*) DESC, data->>'code'`;
}

/** Delete the waiting items of digests that nobody may read anymore. */
export async function deleteDigestItems(
  tx: Tx,
  digests: readonly Pick<PendingDigest, 'userId' | 'accountId'>[],
  reason: DigestReason,
): Promise<void> {
  await executeSql(tx)`
    DELETE FROM notification_deliveries AS delivery
    USING unnest(${digests.map(({ userId }) => userId)}::text[], ${digests.map(({ accountId }) => accountId)}::text[])
            AS digest (user_id, account_id), notifications AS notification
    WHERE delivery.user_id = digest.user_id AND status = 'WAITING' AND reason = ${reason}
      AND notification.id = delivery.notification_id AND notification.account_id = digest.account_id`;
}

/** List a digest. It stays marked as read, because the list already has its notifications. */
export async function addDigestToNotificationList(
  tx: Tx,
  id: string,
  data: Record<string, string>,
  now: Date,
): Promise<void> {
  await tx.notification.update({
    where: { id },
    data: { data: data as Prisma.InputJsonObject, createdAt: now, dismissedAt: null },
    select: { id: true },
  });
}

/** Postpone a digest, which continues to collect items. */
export async function postponeDigest(tx: Tx, id: string, dueAt: Date): Promise<void> {
  await tx.notification.update({ where: { id }, data: { dueAt }, select: { id: true } });
}
