import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';

export type WebhookEndpointRow = NonNullable<Awaited<ReturnType<typeof findWebhookEndpoint>>>;

export interface WebhookEndpointChanges {
  url?: Uint8Array<ArrayBuffer> | undefined;
  secrets?: Uint8Array<ArrayBuffer> | undefined;
  eventTypes?: string[] | undefined;
  description?: string | null | undefined;
  isVerified?: boolean | undefined;
  includesObject?: boolean | undefined;
}

/** An endpoint that this process sends to until its claim ends. */
export interface ClaimedEndpoint {
  id: string;
  accountId: string;
  url: Buffer;
  secrets: Buffer;
  failedBatches: number;
  isSlow: boolean;
  includesObject: boolean;
}

/** What a process found out while it sent to an endpoint. */
export interface EndpointOutcome {
  /** Null if nothing was sent. */
  hasSuccess: boolean | null;
  isGone: boolean;
  isSlow: boolean;
  pauseMs: number;
}

const OLDEST_FIRST = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];

/** They are few. */
export async function listWebhookEndpoints(db: Db, accountId: string) {
  return db.webhookEndpoint.findMany({ where: { accountId }, orderBy: OLDEST_FIRST });
}

export async function countWebhookEndpoints(db: Db, accountId: string): Promise<number> {
  return db.webhookEndpoint.count({ where: { accountId } });
}

export async function findWebhookEndpoint(db: Db, accountId: string, id: string) {
  return db.webhookEndpoint.findFirst({ where: { id, accountId } });
}

export async function lockWebhookEndpoint(tx: Tx, accountId: string, id: string) {
  await querySql(tx)`
    SELECT FROM webhook_endpoints WHERE id = ${id} AND account_id = ${accountId} FOR NO KEY UPDATE`;
  return findWebhookEndpoint(tx, accountId, id);
}

export async function insertWebhookEndpoint(
  tx: Tx,
  endpoint: Required<WebhookEndpointChanges> & {
    id: string;
    accountId: string;
    url: Uint8Array<ArrayBuffer>;
    secrets: Uint8Array<ArrayBuffer>;
    eventTypes: string[];
    isVerified: boolean;
    includesObject: boolean;
  },
): Promise<WebhookEndpointRow> {
  return tx.webhookEndpoint.create({ data: { ...endpoint, description: endpoint.description ?? null } });
}

type EndpointKey = Pick<WebhookEndpointRow, 'id' | 'accountId'>;

/** Update an endpoint that this transaction has locked. `enabled` also forgets earlier failures. */
export async function updateWebhookEndpoint(
  tx: Tx,
  { id, accountId }: EndpointKey,
  changes: WebhookEndpointChanges,
  enabled: boolean | undefined,
): Promise<WebhookEndpointRow> {
  const { url, secrets, eventTypes, description, isVerified, includesObject } = changes;
  return tx.webhookEndpoint.update({
    where: { id, accountId },
    data: {
      ...(url && { url }),
      ...(secrets && { secrets }),
      ...(eventTypes && { eventTypes }),
      ...(description === undefined ? {} : { description }),
      ...(isVerified === undefined ? {} : { isVerified }),
      ...(includesObject === undefined ? {} : { includesObject }),
      ...(enabled === true || url ? { failingSince: null, failedBatches: 0, pausedUntil: null } : {}),
      ...(enabled === true ? { disabledAt: null, disabledReason: null } : {}),
      ...(enabled === false ? { disabledAt: new Date(), disabledReason: 'OWNER' } : {}),
      version: { increment: 1 },
      updatedAt: new Date(),
    },
  });
}

export async function deleteWebhookEndpoint(tx: Tx, { id, accountId }: EndpointKey): Promise<void> {
  await tx.webhookEndpoint.delete({ where: { id, accountId }, select: { id: true } });
}

/**
 * Claim endpoints with something to send, those first that waited longest: up to a number of each owner, and separate numbers
 * of fast and of slow ones, so that slow ones never take the places of others.
 */
export async function claimWebhookEndpoints(
  db: Db,
  {
    fast,
    slow,
    perUser,
    leaseSeconds,
  }: { fast: number; slow: number; perUser: number; leaseSeconds: number },
): Promise<ClaimedEndpoint[]> {
  return querySql<ClaimedEndpoint>(db)`
    WITH RECURSIVE pending AS (
      -- One probe of the index for each endpoint, however much is pending.
      (SELECT endpoint_id, next_attempt_at FROM webhook_deliveries WHERE status = 'PENDING'
       ORDER BY endpoint_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT next.endpoint_id, next.next_attempt_at FROM pending CROSS JOIN LATERAL (
        SELECT endpoint_id, next_attempt_at FROM webhook_deliveries
        WHERE status = 'PENDING' AND endpoint_id > pending.endpoint_id
        ORDER BY endpoint_id, next_attempt_at LIMIT 1) AS next
    ), ready AS (
      SELECT endpoint.id, endpoint.claimed_until, endpoint.is_slow,
             row_number() OVER (PARTITION BY endpoint.account_id ORDER BY endpoint.claimed_until NULLS FIRST)
             + (SELECT count(*) FROM webhook_endpoints AS active
                WHERE active.account_id = endpoint.account_id AND active.claimed_until > now()) AS place
      FROM pending
      JOIN webhook_endpoints AS endpoint ON endpoint.id = pending.endpoint_id
      JOIN accounts AS account ON account.id = endpoint.account_id
      WHERE pending.next_attempt_at <= now() AND endpoint.disabled_at IS NULL AND account.status = 'ACTIVE'
        AND (endpoint.is_verified OR EXISTS (
          SELECT FROM webhook_deliveries AS challenge
          WHERE challenge.endpoint_id = endpoint.id AND challenge.account_id = endpoint.account_id
            AND challenge.status = 'PENDING' AND challenge.next_attempt_at <= now()
            AND challenge.event_type = 'webhook_endpoint.verification'))
        AND coalesce(endpoint.claimed_until <= now(), true) AND coalesce(endpoint.paused_until <= now(), true)
    ), chosen AS (
      (SELECT id FROM ready WHERE NOT is_slow AND place <= ${perUser}::int ORDER BY claimed_until NULLS FIRST LIMIT ${fast}::int)
      UNION ALL
      (SELECT id FROM ready WHERE is_slow AND place <= ${perUser}::int ORDER BY claimed_until NULLS FIRST LIMIT ${slow}::int)
    ), locked AS MATERIALIZED (
      SELECT id FROM webhook_endpoints
      WHERE id IN (SELECT id FROM chosen) AND coalesce(claimed_until <= now(), true)
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE webhook_endpoints AS endpoint SET claimed_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    FROM locked WHERE endpoint.id = locked.id
    RETURNING endpoint.id, account_id AS "accountId", url, secrets, failed_batches AS "failedBatches", is_slow AS "isSlow",
      includes_object AS "includesObject"`;
}

/**
 * Release a claimed endpoint. Returns why it is to be disabled, if it is gone or had failed for `maxFailingMs`.
 */
export async function releaseWebhookEndpoint(
  db: Db,
  { id, accountId }: EndpointKey,
  { hasSuccess, isGone, isSlow, pauseMs }: EndpointOutcome,
  maxFailingMs: number,
): Promise<'GONE' | 'FAILING' | null> {
  const pausedUntil = pauseMs > 0 ? sql`now() + make_interval(secs => ${pauseMs / 1000}::float8)` : sql`NULL`;
  if (hasSuccess === null) {
    await executeSql(db)`
      UPDATE webhook_endpoints SET claimed_until = now(), paused_until = ${pausedUntil}
      WHERE account_id = ${accountId} AND id = ${id}`;
    return null;
  }
  const [row] = await querySql<{ hasFailedTooLong: boolean | null }>(db)`
    UPDATE webhook_endpoints SET
      claimed_until = now(),
      is_slow = ${isSlow},
      failed_batches = CASE WHEN ${hasSuccess} THEN 0 ELSE failed_batches + 1 END,
      failing_since = CASE WHEN ${hasSuccess} THEN NULL ELSE coalesce(failing_since, now()) END,
      paused_until = ${pausedUntil}
    WHERE account_id = ${accountId} AND id = ${id}
    RETURNING failing_since <= now() - make_interval(secs => ${maxFailingMs / 1000}::float8) AS "hasFailedTooLong"`;
  if (!row) return null;
  if (isGone) return 'GONE';
  return row.hasFailedTooLong ? 'FAILING' : null;
}

/** Verify an endpoint whose address returned the challenge; false if it was before, or has another address by now. */
export async function verifyClaimedEndpoint(
  tx: Tx,
  { id, accountId, url }: Pick<ClaimedEndpoint, 'id' | 'accountId' | 'url'>,
): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE webhook_endpoints SET is_verified = true, version = version + 1, updated_at = now()
    WHERE account_id = ${accountId} AND id = ${id} AND url = ${url}::bytea AND NOT is_verified`;
  return count === 1;
}

/** False if it is disabled already, or deleted. */
export async function disableWebhookEndpoint(
  tx: Tx,
  { id, accountId }: EndpointKey,
  reason: 'GONE' | 'FAILING',
): Promise<boolean> {
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, accountId, disabledAt: null },
    data: { disabledAt: new Date(), disabledReason: reason, version: { increment: 1 } },
  });
  return count === 1;
}
