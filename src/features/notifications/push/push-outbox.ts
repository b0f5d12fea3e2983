import type { Tx } from '../../../platform/database.ts';
import type { JobScheduler } from '../../../platform/jobs.ts';
import type { WebPushProvider } from '../../../providers/push/push.port.ts';
import {
  insertSkippedPush,
  insertWaitingPushes,
  listReachablePushDeviceIds,
  listReachablePushUserIds,
} from './push-delivery.repository.ts';
import { PUSH_QUEUE } from './send-push.job.ts';

export interface PushOutbox {
  /** Enqueue a push to each device that the user is logged in on, in the transaction that decides on it. */
  post(tx: Tx, target: { userId: string; notificationId: string }): Promise<void>;
  /** Of these users, find those that a push can reach. */
  findReachableUsers(tx: Tx, userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Send waiting pushes now instead of at the next poll. Call it after the commit. */
  wake(): void;
}

export function createPushOutbox({
  jobs,
  push,
  webPush,
}: {
  jobs: JobScheduler;
  push: object | null;
  webPush: Pick<WebPushProvider, 'publicKey'>;
}): PushOutbox {
  const reach = { hasFirebase: push !== null, vapidPublicKey: webPush.publicKey };
  return {
    async post(tx, target) {
      const devices = await listReachablePushDeviceIds(tx, target.userId, reach);
      if (devices.length === 0)
        return insertSkippedPush(tx, target, reach.hasFirebase ? 'NO_DEVICE' : 'NOT_CONFIGURED');
      for (const deliveryId of await insertWaitingPushes(tx, target, devices))
        await jobs.enqueue(tx, PUSH_QUEUE, { deliveryId });
    },
    async findReachableUsers(tx, userIds) {
      return new Set(await listReachablePushUserIds(tx, userIds, reach));
    },
    wake: () => jobs.wake(PUSH_QUEUE),
  };
}
