import { createGroupCommit } from '../../platform/group-commit.ts';
import { mapDatabaseError } from '../../platform/http/database-errors.ts';
import type { PaymentServices } from './payment-services.ts';
import { SYNC_QUEUE } from './want-look.ts';
import { type NewEvent, storeEvents } from './webhook-event.repository.ts';

/** Events of one commit at most, and that may wait for one. */
const AT_ONCE = 128;
const WAITING = 2_000;

/** Stores an event that was proven to be the provider's; resolves once it is committed, with the job that follows it. */
export type EventInbox = (event: NewEvent) => Promise<void>;

/** Events that come at the same time share a commit. Throws BUSY when too many wait, and what the database throws. */
export function createEventInbox({ database, jobs }: Pick<PaymentServices, 'database' | 'jobs'>): EventInbox {
  return createGroupCommit<NewEvent, void>({
    async write(events) {
      const isNew = await database.transaction(async (tx) => {
        const places = await storeEvents(tx, events);
        await jobs.enqueueAll(
          tx,
          SYNC_QUEUE,
          places.map((place) => ({ ...place })),
        );
        return places.length > 0;
      });
      if (isNew) jobs.wake(SYNC_QUEUE);
      return events.map(() => ({ value: undefined }));
    },
    isFaultOfItem: (error) => mapDatabaseError(error)?.code !== 'DATABASE_UNAVAILABLE',
    most: AT_ONCE,
    waiting: WAITING,
  });
}
