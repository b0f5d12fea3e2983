import { generateId } from '../../../shared/ids.ts';
import { pickLatestSnapshot } from './event-snapshot.ts';
import { fetchRemote } from './fetch-remote.ts';
import type { EnabledPaymentServices, UpsertResult } from './payment-services.ts';
import {
  claimSync,
  findSecondsUntilSyncUnlocked,
  finishSync,
  releaseSync,
} from './payment-sync.repository.ts';
import { requestSync, SYNC_QUEUE } from './request-sync.ts';
import { type SyncCause, upsertFromProvider } from './upsert-from-provider.ts';
import { completeWebhookEvents } from './webhook-event.repository.ts';

/** The longest run of a job. */
const LEASE_SECONDS = SYNC_QUEUE.expireInSeconds;

/** `HELD`: locked by another process for so many seconds, or idle. */
export type SyncResult =
  | { state: 'DONE'; written: UpsertResult; isAbsent: boolean }
  | { state: 'NOTHING' }
  | { state: 'HELD'; seconds: number };

/**
 * Sync one object if it needs a sync and is unlocked. All writes are one transaction, which requires that the
 * lease is still ours.
 * @throws PaymentError with nothing changed
 */
export async function syncObject(
  services: EnabledPaymentServices,
  objectId: string,
  cause: SyncCause,
): Promise<SyncResult> {
  const { database, payments, jobs } = services;
  const target = { provider: payments.name, objectId };
  const lease = generateId();
  const claimed = await database.transaction((tx) => claimSync(tx, target, lease, LEASE_SECONDS));
  if (!claimed) {
    const seconds = await findSecondsUntilSyncUnlocked(database.client, target);
    return seconds === null ? { state: 'NOTHING' } : { state: 'HELD', seconds };
  }
  try {
    const { object, wanted, events } = claimed;
    const remoteState = await fetchRemote(services, { object, id: objectId });
    const hasOwnRow = object === 'SUBSCRIPTION' || object === 'INVOICE';
    const isAbsent = hasOwnRow && remoteState.remote === null;
    const remote = remoteState.remote ?? pickLatestSnapshot(events);
    // Before the lease ends, in a separate transaction: an extra request is harmless, a lost one is not.
    if (remoteState.relatedSubjects.length > 0)
      await database.transaction((tx) => requestSync(tx, services, remoteState.relatedSubjects));
    const now = new Date(Math.max(Date.now(), ...events.map(({ createdAt }) => createdAt.getTime())));
    const written = await database.transaction(async (tx) => {
      const finished = await finishSync(tx, target, lease, wanted);
      if (!finished) return null;
      if (finished.isWantedAgain) await jobs.enqueue(tx, SYNC_QUEUE, { ...target });
      await completeWebhookEvents(
        tx,
        target.provider,
        events.map(({ eventId }) => eventId),
      );
      return upsertFromProvider(tx, services, { ...remoteState, remote }, { now, cause, isCopy: isAbsent });
    });
    jobs.wake(SYNC_QUEUE);
    return written ? { state: 'DONE', written, isAbsent } : { state: 'HELD', seconds: LEASE_SECONDS };
  } catch (error) {
    // May fail for the same reason; the lease expires anyway.
    await releaseSync(database.client, target, lease).catch(() => {});
    throw error;
  }
}
