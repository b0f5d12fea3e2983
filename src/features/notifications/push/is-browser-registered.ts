import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Database } from '../../../platform/database.ts';
import type { WebPushProvider } from '../../../providers/push/push.port.ts';
import { isBrowserOfSessionRegistered } from './push-device.repository.ts';

/** Whether the browser that a user is signed in with gets push notifications. */
export function isBrowserRegistered(
  { database, webPush }: { database: Database; webPush: Pick<WebPushProvider, 'publicKey'> },
  { id, sessionId }: Pick<CurrentUser, 'id' | 'sessionId'>,
): Promise<boolean> {
  const session = { userId: id, sessionId, vapidPublicKey: webPush.publicKey };
  return isBrowserOfSessionRegistered(database.client, session);
}
