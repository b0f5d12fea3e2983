import type { Db, Tx } from '../../platform/database.ts';
import type { NotificationEvent } from '../../shared/i18n/notification-text.ts';
import { generateId } from '../../shared/ids.ts';

export interface NewNotification {
  userId: string;
  type: 'DEFAULT' | 'ALERT' | 'MESSAGE' | 'SYSTEM';
  event: NotificationEvent;
  /** Ids that a client needs to open what it is about, and names for its sentences. */
  data: Record<string, string>;
  /** What it is about, so that the person is told of it once; each is one of its own when left out. */
  key?: string;
}

/** Tells a person something, in the transaction of what happened; nobody where their account was erased. */
export function insertNotification(db: Db, notification: NewNotification): Promise<void> {
  return insertNotifications(db, [notification]);
}

/** Tells whoever has an address, in one statement that is the same where nobody has it. */
export async function insertNotificationForEmail(
  tx: Tx,
  email: string,
  { key, type, event, data }: Omit<NewNotification, 'userId'>,
): Promise<void> {
  const id = generateId();
  await tx.$executeRaw`
    INSERT INTO notifications (id, key, user_id, type, event, data)
    SELECT ${id}, ${key ?? id}, users.id, ${type}, ${event}, ${JSON.stringify(data)}::jsonb
    FROM users WHERE email = ${email} AND status IN ('VERIFIED', 'ACTIVE')
    ON CONFLICT DO NOTHING`;
}

/** The same of several; what a person was told already is left out. */
export async function insertNotifications(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  const data = notifications.map((notification) => {
    const id = generateId();
    return { id, key: id, ...notification };
  });
  // A row that the database leaves out is none that `create` could answer.
  if (data.length > 0) await db.notification.createMany({ data, skipDuplicates: true });
}
