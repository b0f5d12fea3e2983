import type { Tx } from '../../platform/database.ts';
import { insertDeliveries } from '../notifications/delivery.repository.ts';

/** Takes pushes in the transaction of what causes them. */
export interface PushOffice {
  /** Writes a delivery, and its job, for each device of the person; both exist exactly when the transaction commits. */
  post(tx: Tx, push: { userId: string; notificationId: string }): Promise<void>;
  /** Has waiting pushes sent now instead of at the next poll: call it after the commit. */
  wake(): void;
}

/** The push office where no provider is configured: it says so. */
export function createPushOffice(): PushOffice {
  return {
    post: (tx, { userId, notificationId }) =>
      insertDeliveries(tx, [
        { userId, notificationId, channel: 'PUSH', status: 'NOT_SENT', reason: 'NOT_CONFIGURED' },
      ]),
    wake() {},
  };
}
