import type { Db, Tx } from '../../platform/database.ts';
import { executeSql } from '../../platform/sql.ts';
import type { NotificationEventName } from '../../shared/i18n/notification-text.ts';
import { generateId } from '../../shared/ids.ts';
import { INVITATION_EVENTS } from '../mail/index.ts';

export interface NewNotification {
  userId: string;
  type: 'DEFAULT' | 'ALERT' | 'MESSAGE' | 'SYSTEM';
  event: NotificationEventName;
  /** Ids that a client needs to open the resource, and names for the text. */
  data: Record<string, string>;
  /** Deduplicates notifications of a user; unique by default. */
  key?: string;
}

/** Insert a notification in the transaction of its event, unless the user is deleted. */
export function insertNotification(db: Db, notification: NewNotification): Promise<void> {
  return insertNotifications(db, [notification]);
}

/** Of all senders, within a day. What they grant is listed anyway. */
const MAX_INVITATIONS_PER_DAY = 20;

/**
 * Insert a notification of what somebody did with the address of a user, unless that happens too often. The statement is
 * the same if there is no such user.
 */
export async function insertNotificationForEmail(
  tx: Tx,
  email: string,
  { key, type, event, data }: Omit<NewNotification, 'userId'>,
): Promise<void> {
  const id = generateId();
  await executeSql(tx)`
    INSERT INTO notifications (id, key, user_id, type, event, data)
    SELECT ${id}, ${key ?? id}, users.id, ${type}, ${event}, ${JSON.stringify(data)}::jsonb
    FROM users WHERE email = ${email} AND status IN ('VERIFIED', 'ACTIVE')
      AND (SELECT count(*) FROM notifications AS recent
           WHERE recent.user_id = users.id AND recent.event = ANY(${[...INVITATION_EVENTS]})
             AND recent.created_at > now() - interval '1 day') < ${MAX_INVITATIONS_PER_DAY}
    ON CONFLICT DO NOTHING`;
}

export async function insertNotifications(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  const data = notifications.map((notification) => {
    const id = generateId();
    return { id, key: id, ...notification };
  });
  // `create` cannot return a row that the database skips.
  if (data.length > 0) await db.notification.createMany({ data, skipDuplicates: true });
}
