import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import { runAfterCommit, type Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { replayEvents } from './event.repository.ts';
import { limitEventRange, listMatchingEventTypes } from './event.rules.ts';
import { enqueueWebhookChallenge } from './webhook-challenge.ts';
import {
  insertWebhookDelivery,
  replayWebhookDelivery,
  type WebhookDeliveryRow,
} from './webhook-delivery.repository.ts';
import { findWebhookEndpoint, type WebhookEndpointRow } from './webhook-endpoint.repository.ts';
import type { WebhookServices } from './webhook-services.ts';

const MAX_REPLAYED_EVENTS = 10_000;

/** Of an account; each can be 10,000 requests to somebody. */
const MAX_REPLAYS_PER_HOUR = 60;

interface EndpointKey {
  accountId: string;
  endpointId: string;
}

/**
 * Store a test event for an endpoint, or the challenge of one that is not verified, which is sent soon.
 * @throws NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, RATE_LIMITED
 */
export async function sendTestEvent(
  { database, fieldCipher, dispatcher }: WebhookServices,
  context: RequestContext,
  key: EndpointKey,
): Promise<WebhookDeliveryRow> {
  return database.transaction(async (tx) => {
    runAfterCommit(tx, () => dispatcher.wake());
    const endpoint = await getEnabledEndpoint(tx, key);
    await recordAuditEntry(tx, context, { resourceId: endpoint.accountId });
    if (!endpoint.isVerified) return enqueueWebhookChallenge(fieldCipher, tx, endpoint);
    const at = new Date();
    const event = { id: generateId(at), at, data: { id: endpoint.id } };
    return insertWebhookDelivery(tx, endpoint, { type: 'webhook_endpoint.test', ...event });
  });
}

/** Begin the retries of a delivery anew. @throws NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_UNVERIFIED */
export async function replayDelivery(
  { database, dispatcher }: WebhookServices,
  context: RequestContext,
  key: EndpointKey & { eventId: string },
): Promise<WebhookDeliveryRow> {
  return database.transaction(async (tx) => {
    runAfterCommit(tx, () => dispatcher.wake());
    const { accountId } = await getVerifiedEndpoint(tx, key);
    const replayed = await replayWebhookDelivery(tx, key);
    if (!replayed) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: accountId });
    return replayed;
  });
}

/**
 * Replay the events of a time range, oldest first. `nextFrom` is where to continue; null at the end.
 * @throws NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_UNVERIFIED, RATE_LIMITED
 */
export async function replayEventsOfRange(
  { database, fieldCipher, dispatcher }: WebhookServices,
  context: RequestContext,
  key: EndpointKey,
  range: Parameters<typeof limitEventRange>[0],
  includeDelivered: boolean,
): Promise<{ count: number; nextFrom: string | null }> {
  const { count, events, last } = await database.transaction(async (tx) => {
    runAfterCommit(tx, () => dispatcher.wake());
    const endpoint = await getVerifiedEndpoint(tx, key);
    const budget = `webhook-replays:${fieldCipher.hash('webhook-replays', endpoint.accountId).toString('hex')}`;
    await consumeAttempts(tx, [{ key: budget, allowed: MAX_REPLAYS_PER_HOUR, windowSeconds: HOUR_SECONDS }]);
    const filter = {
      types: listMatchingEventTypes(endpoint.eventTypes),
      ...limitEventRange(range, new Date()),
    };
    await recordAuditEntry(tx, context, { resourceId: endpoint.accountId });
    return replayEvents(tx, endpoint, filter, { includeDelivered, limit: MAX_REPLAYED_EVENTS });
  });
  return { count, nextFrom: events === MAX_REPLAYED_EVENTS ? (last?.toISOString() ?? null) : null };
}

async function getVerifiedEndpoint(tx: Tx, key: EndpointKey): Promise<WebhookEndpointRow> {
  const row = await getEnabledEndpoint(tx, key);
  if (!row.isVerified) throw new ServiceError('WEBHOOK_ENDPOINT_UNVERIFIED');
  return row;
}

async function getEnabledEndpoint(
  tx: Tx,
  { accountId, endpointId }: EndpointKey,
): Promise<WebhookEndpointRow> {
  const row = await findWebhookEndpoint(tx, accountId, endpointId);
  if (!row) throw new ServiceError('NOT_FOUND');
  if (row.disabledAt) throw new ServiceError('WEBHOOK_ENDPOINT_DISABLED');
  return row;
}
