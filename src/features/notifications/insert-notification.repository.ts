import type { Db, Tx } from '../../platform/database.ts';
import { createRecipientIdSql } from '../../platform/recipients.repository.ts';
import { executeSql } from '../../platform/sql.ts';
import type { NotificationEventName } from '../../shared/i18n/notification-text.ts';
import { generateId } from '../../shared/ids.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
import { INVITATION_EVENTS } from '../mail/index.ts';
import { NOTIFICATION_KIND_BY_EVENT } from './notification-kinds.rules.ts';

export interface NotificationContent {
  type: 'DEFAULT' | 'ALERT' | 'MESSAGE' | 'SYSTEM';
  event: NotificationEventName;
  /** Ids that a client needs to open the resource, and names for the text. */
  data: Record<string, string>;
  /** Deduplicates notifications of a user; unique by default. */
  key?: string;
}

/** For the members of an account whom the topic of the event concerns, for one of them whose role may read it, or for one user. */
export type NewNotification = NotificationContent &
  (
    | { accountId: string; memberId?: string; userId?: never }
    | { userId: string; accountId?: never; memberId?: never }
  );

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
  { key, type, event, data }: NotificationContent,
): Promise<void> {
  const id = generateId();
  await executeSql(tx)`
    INSERT INTO notifications (id, key, user_id, account_id, type, event, data)
    SELECT ${id}, ${key ?? id}, users.id, users.id, ${type}, ${event}, ${JSON.stringify(data)}::jsonb
    FROM users WHERE email = ${email} AND status IN ('VERIFIED', 'ACTIVE')
      AND (SELECT count(*) FROM notifications AS recent
           WHERE recent.user_id = users.id AND recent.event = ANY(${[...INVITATION_EVENTS]})
             AND recent.created_at > now() - interval '1 day') < ${MAX_INVITATIONS_PER_DAY}
    ON CONFLICT DO NOTHING`;
}

// Constant, so that there is one text of the statement. The only recipient of a personal account gets the id of the row.
const INSERT_STATEMENT = `
  INSERT INTO notifications (id, key, user_id, account_id, type, event, data)
  SELECT added.id, coalesce(input.key, added.id), recipient.user_id, recipient.account_id, input.type, input.event, input.data
  FROM jsonb_to_recordset($1::jsonb) AS input (id text, key text, account_id text, member_id text, topic text, roles text[], type text, event text, data jsonb)
  -- OFFSET: the planner expects many rows and would read all memberships of a small table.
  CROSS JOIN LATERAL (
    SELECT user_id, account_id FROM memberships
    WHERE memberships.account_id = input.account_id
      AND (input.topic IS NULL OR (role = ANY (input.roles) AND NOT limited_to_folders AND
        CASE WHEN input.member_id IS NULL THEN input.topic = ANY (topics) ELSE user_id = input.member_id END))
    OFFSET 0) AS recipient
  CROSS JOIN LATERAL (SELECT ${createRecipientIdSql('input.id')} AS id) AS added
  ON CONFLICT DO NOTHING`;

/** Insert notifications for each user whom they concern; those of a deleted user are skipped. */
export async function insertNotifications(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  await executeSql(db)({ text: INSERT_STATEMENT, values: [JSON.stringify(notifications.map(toJsonRow))] });
}

function toJsonRow({ userId, accountId, memberId, key, type, event, data }: NewNotification) {
  const topic = userId === undefined ? NOTIFICATION_KIND_BY_EVENT[event].topic : null;
  const roles = topic === null ? [] : ROLES_BY_TOPIC[topic];
  return {
    id: generateId(),
    key,
    account_id: userId ?? accountId,
    member_id: memberId,
    topic,
    roles,
    type,
    event,
    data,
  };
}
