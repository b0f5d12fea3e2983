import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import type { ListSort } from '../../shared/list-cursor.ts';
import type { EventRow } from './event.repository.ts';
import type { ResponseExcerpt } from './response-excerpt.rules.ts';
import type { ClaimedEndpoint } from './webhook-endpoint.repository.ts';

export interface DeliveryAttempt {
  at: string;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  /** Missing without a response, of a challenge, and in rows of earlier versions. */
  response?: ResponseExcerpt;
}

export interface WebhookDeliveryRow {
  event: EventRow;
  status: string;
  attempts: DeliveryAttempt[];
  nextAttemptAt: Date | null;
  createdAt: Date;
}

export interface WebhookDeliveryKey {
  accountId: string;
  endpointId: string;
  eventId: string;
}

export interface ClaimedDelivery {
  event: EventRow;
  failures: number;
}

const MAX_STORED_ATTEMPTS = 20;

/** By event: ids of events begin with their time. */
export const DELIVERY_LIST_SORTS = {
  '-event': createEventSort('-event'),
  event: createEventSort('event'),
};

function createEventSort(name: string): ListSort<WebhookDeliveryRow> {
  return { name, keyType: 'text', getPosition: ({ event: { id } }) => ({ key: '', id }) };
}

/** List deliveries by the time of their event. `cursor` is the id of an event. */
export async function listWebhookDeliveries(
  db: Db,
  { accountId, endpointId }: Omit<WebhookDeliveryKey, 'eventId'>,
  {
    statuses,
    sort,
    cursor,
    take,
  }: {
    statuses: readonly string[] | undefined;
    sort: keyof typeof DELIVERY_LIST_SORTS;
    cursor: string | null;
    take: number;
  },
): Promise<WebhookDeliveryRow[]> {
  const isNewestFirst = sort === '-event';
  const rows = await db.webhookDelivery.findMany({
    where: {
      accountId,
      endpointId,
      ...(statuses ? { status: { in: [...statuses] } } : {}),
      ...(cursor ? { eventId: isNewestFirst ? { lt: cursor } : { gt: cursor } } : {}),
    },
    orderBy: { eventId: isNewestFirst ? 'desc' : 'asc' },
    take,
  });
  return rows.map(toDeliveryRow);
}

export async function findWebhookDelivery(
  db: Db,
  key: WebhookDeliveryKey,
): Promise<WebhookDeliveryRow | null> {
  const row = await db.webhookDelivery.findUnique({ where: { accountId_endpointId_eventId: key } });
  return row && toDeliveryRow(row);
}

/** Insert the delivery of an event that only this endpoint gets. */
export async function insertWebhookDelivery(
  tx: Tx,
  { accountId, id: endpointId }: { accountId: string; id: string },
  { id: eventId, type: eventType, data: eventData, at: eventAt }: EventRow,
): Promise<WebhookDeliveryRow> {
  const data = { accountId, endpointId, eventId, eventType, eventData, eventAt };
  return toDeliveryRow(await tx.webhookDelivery.create({ data }));
}

/** Send a delivery again. Null if there is none. */
export async function replayWebhookDelivery(
  tx: Tx,
  key: WebhookDeliveryKey,
): Promise<WebhookDeliveryRow | null> {
  const [row] = await tx.webhookDelivery.updateManyAndReturn({
    where: key,
    data: { status: 'PENDING', failures: 0, nextAttemptAt: new Date() },
  });
  return row ? toDeliveryRow(row) : null;
}

/** Claim due deliveries of an endpoint until `lease` ends, unless it was changed, disabled, or its owner suspended meanwhile. */
export async function claimWebhookDeliveries(
  db: Db,
  { accountId, id, url, includesObject }: ClaimedEndpoint,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ClaimedDelivery[]> {
  const rows = await querySql<EventRow & { failures: number }>(db)`
    WITH due AS MATERIALIZED (
      SELECT event_id FROM webhook_deliveries
      WHERE endpoint_id = ${id} AND account_id = ${accountId} AND status = 'PENDING' AND next_attempt_at <= now()
        AND EXISTS (
          SELECT FROM webhook_endpoints
          WHERE id = ${id} AND url = ${url}::bytea AND includes_object = ${includesObject} AND disabled_at IS NULL
            AND (is_verified OR event_type = 'webhook_endpoint.verification'))
        AND EXISTS (SELECT FROM accounts WHERE id = ${accountId} AND status = 'ACTIVE')
      ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries AS delivery SET next_attempt_at = now() + make_interval(secs => ${leaseSeconds}::float8)
    FROM due
    WHERE delivery.account_id = ${accountId} AND delivery.endpoint_id = ${id} AND delivery.event_id = due.event_id
    RETURNING delivery.event_id AS id, event_type AS type, event_data AS data, event_at AS at, failures`;
  return rows
    .map(({ failures, ...event }) => ({ event, failures }))
    .sort((one, other) => one.event.at.getTime() - other.event.at.getTime());
}

/** Record an attempt. `retryDelayMs` is null for no further one. */
export async function recordDeliveryAttempt(
  db: Db,
  { accountId, endpointId, eventId }: WebhookDeliveryKey,
  attempt: DeliveryAttempt,
  { status, retryDelayMs }: { status: 'PENDING' | 'DELIVERED' | 'FAILED'; retryDelayMs: number | null },
): Promise<void> {
  await executeSql(db)`
    UPDATE webhook_deliveries SET
      status = ${status},
      attempts = (CASE WHEN jsonb_array_length(attempts) < ${MAX_STORED_ATTEMPTS}::int THEN attempts ELSE attempts - 0 END)
        || ${JSON.stringify([attempt])}::jsonb,
      failures = failures + ${status === 'DELIVERED' ? 0 : 1}::int,
      next_attempt_at = CASE WHEN ${status} = 'PENDING' THEN now() + make_interval(secs => ${(retryDelayMs ?? 0) / 1000}::float8) END
    WHERE account_id = ${accountId} AND endpoint_id = ${endpointId} AND event_id = ${eventId} AND status = 'PENDING'`;
}

/** True once none of the user remain. */
export async function deleteUserDeliveries(
  tx: Tx,
  { userId }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  const count = await executeSql(tx)`
    DELETE FROM webhook_deliveries WHERE account_id = ${userId} AND (endpoint_id, event_id) IN (
      SELECT endpoint_id, event_id FROM webhook_deliveries WHERE account_id = ${userId} LIMIT ${limit})`;
  return count < limit;
}

/** Returns the number deleted. */
export async function deleteExpiredDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM webhook_deliveries WHERE (account_id, endpoint_id, event_id) IN (
      SELECT account_id, endpoint_id, event_id FROM webhook_deliveries WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${limit})`;
}

type StoredDelivery = Awaited<ReturnType<Db['webhookDelivery']['findFirstOrThrow']>>;

function toDeliveryRow(row: StoredDelivery): WebhookDeliveryRow {
  return {
    event: {
      id: row.eventId,
      type: row.eventType as EventRow['type'],
      data: row.eventData as EventRow['data'],
      at: row.eventAt,
    },
    status: row.status,
    // Written by `recordDeliveryAttempt` only.
    attempts: row.attempts as unknown as DeliveryAttempt[],
    nextAttemptAt: row.nextAttemptAt,
    createdAt: row.createdAt,
  };
}
