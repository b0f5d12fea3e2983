import { createGroupCommit } from '../../../platform/group-commit.ts';
import { mapDatabaseError } from '../../../platform/http/database-errors.ts';
import type { PaymentServices } from './payment-services.ts';
import { SYNC_QUEUE } from './request-sync.ts';
import { insertWebhookEvents, type NewWebhookEvent } from './webhook-event.repository.ts';

/** Maximum events of one commit, and maximum events that wait for one. */
const BATCH_SIZE = 128;
const MAX_WAITING_EVENTS = 2_000;

/** Store an event with a verified signature; resolves after the commit of the event and its job. */
export type EventInbox = (event: NewWebhookEvent) => Promise<void>;

/** Create an inbox in which concurrent events share a commit. @throws BUSY when too many events wait */
export function createEventInbox({ database, jobs }: Pick<PaymentServices, 'database' | 'jobs'>): EventInbox {
  return createGroupCommit<NewWebhookEvent, void>({
    async write(events) {
      const isNew = await database.transaction(async (tx) => {
        const places = await insertWebhookEvents(tx, events);
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
    maxGroupSize: BATCH_SIZE,
    maxPending: MAX_WAITING_EVENTS,
  });
}
