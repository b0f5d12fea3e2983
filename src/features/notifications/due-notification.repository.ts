import type { Db, Tx } from '../../platform/database.ts';
import { MAX_SINGLE_SCANS } from './delivery.rules.ts';

/** A notification whose channels are to be decided on. */
export interface DueNotification {
  id: string;
  userId: string;
  type: string;
  event: string;
  data: unknown;
  createdAt: Date;
  /** Whether the person has seen it already, or deleted it. */
  isSeen: boolean;
}

/** A person as far as it matters for what is sent to them. */
export interface RecipientRow {
  id: string;
  email: string;
  language: string;
  timeZone: string;
  preferences: unknown;
  /** HH:MM; null for no quiet hours. */
  quietFrom: string | null;
  quietTo: string | null;
  digest: string | null;
}

/**
 * Takes notifications that are due, so that nobody else does; `limit` at most, those that wait longest first. Their people
 * cannot be erased until the transaction ends; those of somebody who is just being erased are left where they are, since
 * the erasure waits for what is taken here.
 */
export async function claimDueNotifications(tx: Tx, now: Date, limit: number): Promise<DueNotification[]> {
  return tx.$queryRaw<DueNotification[]>`
    WITH due AS MATERIALIZED (
      SELECT one.id FROM notifications AS one JOIN users AS person ON person.id = one.user_id
      WHERE one.due_at <= ${now} ORDER BY one.due_at LIMIT ${limit}
      FOR UPDATE OF one SKIP LOCKED FOR KEY SHARE OF person SKIP LOCKED
    )
    UPDATE notifications AS told SET due_at = NULL
    FROM due WHERE told.id = due.id
    RETURNING told.id, told.user_id AS "userId", type, event, data, created_at AS "createdAt", read_at IS NOT NULL AS "isSeen"`;
}

/** Notifications of these ids. */
export async function findDueNotifications(tx: Tx, ids: readonly string[]): Promise<DueNotification[]> {
  return tx.$queryRaw<DueNotification[]>`
    SELECT id, user_id AS "userId", type, event, data, created_at AS "createdAt", read_at IS NOT NULL AS "isSeen"
    FROM notifications WHERE id = ANY(${[...ids]})`;
}

/** Puts off what waits longest, so that what cannot be sent does not stand in the way of the rest. */
export async function postponeOldestNotification(db: Db, now: Date, until: Date): Promise<void> {
  await db.$executeRaw`
    WITH oldest AS (
      SELECT id FROM notifications WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), held AS (
      SELECT id FROM notification_deliveries WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), delayed AS (
      UPDATE notification_deliveries AS row SET due_at = ${until} FROM held WHERE row.id = held.id
    )
    UPDATE notifications AS row SET due_at = ${until} FROM oldest WHERE row.id = oldest.id`;
}

/** These people with what they wish; nobody whose account was erased. */
export async function findRecipients(tx: Tx, ids: readonly string[]): Promise<RecipientRow[]> {
  return tx.$queryRaw<RecipientRow[]>`
    SELECT person.id, email, language, time_zone AS "timeZone", preferences, to_char(quiet_from, 'HH24:MI') AS "quietFrom",
           to_char(quiet_to, 'HH24:MI') AS "quietTo", digest
    FROM users AS person LEFT JOIN notification_settings ON user_id = person.id
    WHERE person.id = ANY(${[...ids]}) AND status <> 'DELETED'`;
}

/** Of each of these people, the first ordinary scans that they were told of since a moment, by their ids. */
export async function findFirstScanNotifications(
  tx: Tx,
  windows: readonly { userId: string; since: Date }[],
): Promise<Set<string>> {
  if (windows.length === 0) return new Set();
  const [userIds, moments] = [windows.map(({ userId }) => userId), windows.map(({ since }) => since)];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM unnest(${userIds}::text[], ${moments}::timestamptz[]) AS wanted (of, since)
    CROSS JOIN LATERAL (
      SELECT id FROM notifications
      WHERE user_id = wanted.of AND created_at >= wanted.since AND dismissed_at IS NULL
        AND event = 'QR_CODE_SCANNED'
      ORDER BY created_at, id LIMIT ${MAX_SINGLE_SCANS}) AS first`;
  return new Set(rows.map(({ id }) => id));
}
