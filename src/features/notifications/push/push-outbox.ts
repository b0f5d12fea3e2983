import type { Tx } from '../../../platform/database.ts';
import type { JobScheduler } from '../../../platform/jobs.ts';
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
  isConfigured,
}: {
  jobs: JobScheduler;
  isConfigured: boolean;
}): PushOutbox {
  return {
    async post(tx, target) {
      if (!isConfigured) return insertSkippedPush(tx, target, 'NOT_CONFIGURED');
      const devices = await listReachablePushDeviceIds(tx, target.userId);
      if (devices.length === 0) return insertSkippedPush(tx, target, 'NO_DEVICE');
      for (const deliveryId of await insertWaitingPushes(tx, target, devices))
        await jobs.enqueue(tx, PUSH_QUEUE, { deliveryId });
    },
    async findReachableUsers(tx, userIds) {
      return new Set(isConfigured ? await listReachablePushUserIds(tx, userIds) : []);
    },
    wake: () => jobs.wake(PUSH_QUEUE),
  };
}
