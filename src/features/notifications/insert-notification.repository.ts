import type { Db } from '../../platform/database.ts';
import { newId } from '../../shared/ids.ts';
import type { NotificationEvent } from './notification-words.ts';

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
export async function insertNotification(db: Db, notification: NewNotification): Promise<void> {
  const id = newId();
  // A row that the database leaves out is none that `create` could answer.
  await db.notification.createMany({ data: [{ id, key: id, ...notification }], skipDuplicates: true });
}
