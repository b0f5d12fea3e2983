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

/** Seconds for which an object belongs to who claimed it: as long as its job may run. */
const LEASE_SECONDS = SYNC_QUEUE.expireInSeconds;

/** What became of an attempt: `HELD` for so many seconds by somebody else, or with nothing left to do. */
export type SyncResult =
  | { state: 'DONE'; written: UpsertResult; isAbsent: boolean }
  | { state: 'NOTHING' }
  | { state: 'HELD'; seconds: number };

/**
 * Looks at one object of the provider and writes what it says, if there is a reason to and nobody else does. What is
 * written, told and settled is one transaction, and only while the lease is still in the object's row. Throws
 * PaymentError where the provider does not answer, with nothing changed.
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
    // Before the lease ends, in a transaction of its own: a reason too many does no harm, one too few would.
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
    // An error of the database may make this one fail, too: the lease ends by itself then.
    await releaseSync(database.client, target, lease).catch(() => {});
    throw error;
  }
}
