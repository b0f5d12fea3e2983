import type { Db } from '../../platform/database.ts';
import { newId } from '../../shared/ids.ts';

/** What people are told about. */
export type NotificationEvent =
  | 'QR_CODE_SCANNED'
  | 'LOST_CODE_SCANNED'
  | 'SCAN_LOCATED'
  | 'NEW_LOGIN'
  | 'PIN_REJECTED'
  | 'ROLE_CHANGED'
  | 'GLASS_BROKEN'
  | 'SECOND_FACTOR_ON'
  | 'SECOND_FACTOR_OFF';

export interface NewNotification {
  userId: string;
  type: 'DEFAULT' | 'ALERT' | 'MESSAGE' | 'SYSTEM';
  event: NotificationEvent;
  title: string;
  body: string;
  /** Ids that a client needs to open what it is about. */
  data: Record<string, string>;
}

/** Tells a person something, in the transaction of what happened; nobody where their account was erased. */
export async function insertNotification(db: Db, notification: NewNotification): Promise<void> {
  // A row that the database leaves out is none that `create` could answer.
  await db.notification.createMany({ data: [{ id: newId(), ...notification }] });
}
