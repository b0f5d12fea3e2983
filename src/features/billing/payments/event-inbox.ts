import { createGroupCommit } from '../../../platform/group-commit.ts';
import { mapDatabaseError } from '../../../platform/http/database-errors.ts';
import type { ProviderInvoice, ProviderSubscription } from '../../../providers/payments/payments.port.ts';
import { compareInvoiceProgress } from './invoice-state.rules.ts';
import type { PaymentServices } from './payment-services.ts';
import { PAYMENT_SYNC_QUEUE } from './request-sync.ts';
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
    isFaultOfItem: (error) => mapDatabaseError(error)?.code !== 'DATABASE_UNAVAILABLE',
    maxGroupSize: BATCH_SIZE,
    maxPending: MAX_WAITING_EVENTS,
  });
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** For an object that the provider no longer knows; prefers a cancellation, then the furthest invoice. */
export function pickLatestPaymentSnapshot(
  events: readonly { createdAt: Date; snapshot: unknown }[],
): ProviderSubscription | ProviderInvoice | null {
  const newestFirst = [...events].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const copies = newestFirst.flatMap(({ snapshot }) => parseCopy(snapshot) ?? []);
  const invoices = copies.filter((copy) => copy.object === 'INVOICE');
  const [furthest] = invoices.sort((one, other) => compareInvoiceProgress(other, one));
  return furthest ?? copies.find(({ state }) => state === 'CANCELED') ?? copies[0] ?? null;
}

function parseCopy(stored: unknown): ProviderSubscription | ProviderInvoice | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const entries = Object.entries(stored).map(([name, value]) => [
    name,
    typeof value === 'string' && ISO_TIME.test(value) ? new Date(value) : value,
  ]);
  return Object.fromEntries(entries);
}
