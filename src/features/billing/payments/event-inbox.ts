import { createGroupCommit } from '../../../platform/group-commit.ts';
import { isDatabaseUnavailable } from '../../../platform/http/database-errors.ts';
import type { PaymentServices } from './payment-services.ts';
import { PAYMENT_SYNC_QUEUE } from './request-sync.use-case.ts';
import { insertWebhookEvents, type NewWebhookEvent } from './webhook-event.repository.ts';

/** Maximum events of one commit, and maximum events that wait for one. */
const BATCH_SIZE = 128;
const MAX_WAITING_EVENTS = 2_000;

/** Expects a verified signature; resolves after the commit of the event and its job. */
type EventInbox = (event: NewWebhookEvent) => Promise<void>;

/** Concurrent events share a commit. @throws BUSY when too many events wait */
export function createWebhookEventInbox({
  database,
  jobs,
}: Pick<PaymentServices, 'database' | 'jobs'>): EventInbox {
  return createGroupCommit<NewWebhookEvent, void>({
    name: 'payment events',
    async write(events) {
      const isNew = await database.transaction(async (tx) => {
        const places = await insertWebhookEvents(tx, events);
        await jobs.enqueueAll(
          tx,
          PAYMENT_SYNC_QUEUE,
          places.map((place) => ({ ...place })),
        );
        return places.length > 0;
      });
      if (isNew) jobs.wake(PAYMENT_SYNC_QUEUE);
      return events.map(() => ({ value: undefined }));
    },
    isFaultOfItem: (error) => !isDatabaseUnavailable(error),
    maxGroupSize: BATCH_SIZE,
    maxPending: MAX_WAITING_EVENTS,
  });
}
