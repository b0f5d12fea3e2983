import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { MAX_SINGLE_SCAN_NOTIFICATIONS } from './delivery.rules.ts';
import { IS_READABLE } from './readable-notification.repository.ts';

export interface DueNotification {
  id: string;
  userId: string;
  accountId: string;
  type: string;
  event: string;
  data: unknown;
  createdAt: Date;
  isSeen: boolean;
  /** False for who no longer acts for the account, or whose role may not read what it is about. */
  isReadable: boolean;
}

export interface NotificationRecipientRow {
  id: string;
  email: string;
  language: string;
  timeZone: string;
  preferences: unknown;
  quietFrom: string | null;
  quietTo: string | null;
  digest: string | null;
}

const DUE_COLUMNS = sql`notification.id, user_id AS "userId", account_id AS "accountId", type, event, data,
  created_at AS "createdAt", read_at IS NOT NULL AS "isSeen", ${IS_READABLE} AS "isReadable"`;

/**
 * Claim due notifications, oldest first. The lock on their users delays erasure until the transaction ends. Users who are
 * being erased are skipped, since erasure waits for claimed rows.
 */
export async function claimDueNotifications(tx: Tx, now: Date, limit: number): Promise<DueNotification[]> {
  return querySql<DueNotification>(tx)`
    WITH due AS MATERIALIZED (
      SELECT one.id FROM notifications AS one JOIN users AS recipient ON recipient.id = one.user_id
      WHERE one.due_at <= ${now} ORDER BY one.due_at LIMIT ${limit}
      FOR UPDATE OF one SKIP LOCKED FOR KEY SHARE OF recipient SKIP LOCKED
    )
    UPDATE notifications AS notification SET due_at = NULL
    FROM due WHERE notification.id = due.id
    RETURNING ${DUE_COLUMNS}`;
}

export async function findNotificationsForDelivery(
  tx: Tx,
  ids: readonly string[],
): Promise<DueNotification[]> {
  return querySql<DueNotification>(tx)`
    SELECT ${DUE_COLUMNS} FROM notifications AS notification WHERE id = ANY(${[...ids]})`;
}

/** Postpone the oldest due notification and delivery, so that a failing one does not block the others. */
export async function postponeOldestDueNotification(db: Db, now: Date, until: Date): Promise<void> {
  await executeSql(db)`
    WITH oldest AS (
      SELECT id FROM notifications WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), deferred AS (
      SELECT id FROM notification_deliveries WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), delayed AS (
      UPDATE notification_deliveries AS row SET due_at = ${until} FROM deferred WHERE row.id = deferred.id
    )
    UPDATE notifications AS row SET due_at = ${until} FROM oldest WHERE row.id = oldest.id`;
}

/** Find recipients with their settings, without deleted users. */
export async function findNotificationRecipients(
  tx: Tx,
  ids: readonly string[],
): Promise<NotificationRecipientRow[]> {
  return querySql<NotificationRecipientRow>(tx)`
    SELECT recipient.id, email, language, time_zone AS "timeZone", preferences, to_char(quiet_from, 'HH24:MI') AS "quietFrom",
           to_char(quiet_to, 'HH24:MI') AS "quietTo", digest
    FROM users AS recipient LEFT JOIN notification_settings ON user_id = recipient.id
    WHERE recipient.id = ANY(${[...ids]}) AND status <> 'DELETED'`;
}

/** Find the first scan notifications of each user since a moment. */
export async function findFirstScanNotificationIds(
  tx: Tx,
  windows: readonly { userId: string; since: Date }[],
): Promise<Set<string>> {
  if (windows.length === 0) return new Set();
  const [userIds, moments] = [windows.map(({ userId }) => userId), windows.map(({ since }) => since)];
  const rows = await querySql<{ id: string }>(tx)`
    SELECT id FROM unnest(${userIds}::text[], ${moments}::timestamptz[]) AS wanted (of, since)
    CROSS JOIN LATERAL (
      SELECT id FROM notifications
      WHERE user_id = wanted.of AND created_at >= wanted.since AND dismissed_at IS NULL
        AND event = 'scan.created'
      ORDER BY created_at, id LIMIT ${MAX_SINGLE_SCAN_NOTIFICATIONS}) AS first`;
  return new Set(rows.map(({ id }) => id));
}
