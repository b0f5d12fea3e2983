import type { Tx } from '../../../platform/database.ts';
import type { JobScheduler } from '../../../platform/jobs.ts';
import { insertUnsentPush, insertWaitingPushes, listReachableDevices } from './push-delivery.repository.ts';
import { PUSH_QUEUE } from './send-push.job.ts';

/** Takes pushes in the transaction that decides on them. */
export interface PushOutbox {
  /** Writes what goes to each device that the person is logged in on, with its job, or why it goes to none. */
  post(tx: Tx, of: { userId: string; notificationId: string }): Promise<void>;
  /** Has waiting pushes sent now instead of at the next poll: call it after the commit. */
  wake(): void;
}

/** Builds the push office over the devices and the queue. */
export function createPushOutbox({
  jobs,
  isConfigured,
}: {
  jobs: JobScheduler;
  isConfigured: boolean;
}): PushOutbox {
  return {
    async post(tx, of) {
      if (!isConfigured) return insertUnsentPush(tx, of, 'NOT_CONFIGURED');
      const devices = await listReachableDevices(tx, of.userId);
      if (devices.length === 0) return insertUnsentPush(tx, of, 'NO_DEVICE');
      for (const deliveryId of await insertWaitingPushes(tx, of, devices))
        await jobs.enqueue(tx, PUSH_QUEUE, { deliveryId });
    },
    wake: () => jobs.wake(PUSH_QUEUE),
  };
}
