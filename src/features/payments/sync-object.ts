import { generateId } from '../../shared/ids.ts';
import { copyFrom } from './event-copy.ts';
import { lookUp } from './look-up.ts';
import type { SellingServices, Written } from './payment-services.ts';
import { claimSync, finishSync, releaseSync, secondsUntilFree } from './payment-sync.repository.ts';
import { SYNC_QUEUE, wantLook } from './want-look.ts';
import { settleEvents } from './webhook-event.repository.ts';
import { type Cause, writeSeen } from './write-seen.ts';

/** Seconds for which an object belongs to who claimed it: as long as its job may run. */
const LEASE = SYNC_QUEUE.expireInSeconds;

/** What became of an attempt: `HELD` for so many seconds by somebody else, or with nothing left to do. */
export type Synced =
  | { state: 'DONE'; written: Written; isAbsent: boolean }
  | { state: 'NOTHING' }
  | { state: 'HELD'; seconds: number };

/**
 * Looks at one object of the provider and writes what it says, if there is a reason to and nobody else does. What is
 * written, told and settled is one transaction, and only while the lease is still in the object's row. Throws
 * PaymentError where the provider does not answer, with nothing changed.
 */
export async function syncObject(services: SellingServices, objectId: string, cause: Cause): Promise<Synced> {
  const { database, payments, jobs } = services;
  const place = { provider: payments.name, objectId };
  const lease = generateId();
  const claimed = await database.transaction((tx) => claimSync(tx, place, lease, LEASE));
  if (!claimed) {
    const seconds = await secondsUntilFree(database.client, place);
    return seconds === null ? { state: 'NOTHING' } : { state: 'HELD', seconds };
  }
  try {
    const { object, wanted, events } = claimed;
    const finding = await lookUp(services, { object, id: objectId });
    const hasOwnRow = object === 'SUBSCRIPTION' || object === 'INVOICE';
    const isAbsent = hasOwnRow && finding.seen === null;
    const seen = finding.seen ?? copyFrom(events);
    // Before the lease ends, in a transaction of its own: a reason too many does no harm, one too few would.
    if (finding.also.length > 0) await database.transaction((tx) => wantLook(tx, services, finding.also));
    const now = new Date(Math.max(Date.now(), ...events.map(({ createdAt }) => createdAt.getTime())));
    const written = await database.transaction(async (tx) => {
      const finished = await finishSync(tx, place, lease, wanted);
      if (!finished) return null;
      if (finished.isWantedAgain) await jobs.enqueue(tx, SYNC_QUEUE, { ...place });
      await settleEvents(
        tx,
        place.provider,
        events.map(({ eventId }) => eventId),
      );
      return writeSeen(tx, services, { ...finding, seen }, { now, cause, isCopy: isAbsent });
    });
    jobs.wake(SYNC_QUEUE);
    return written ? { state: 'DONE', written, isAbsent } : { state: 'HELD', seconds: LEASE };
  } catch (error) {
    // An error of the database may make this one fail, too: the lease ends by itself then.
    await releaseSync(database.client, place, lease).catch(() => {});
    throw error;
  }
}
