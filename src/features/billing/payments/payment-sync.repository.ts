import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';

export interface PaymentSyncTarget {
  provider: string;
  objectId: string;
}

export type PaymentObjectType = 'SUBSCRIPTION' | 'INVOICE' | 'CHECKOUT' | 'CHARGE' | 'CUSTOMER';

interface ClaimedSync {
  object: PaymentObjectType;
  /** Number of sync requests. */
  wanted: bigint;
  events: { eventId: string; createdAt: Date; closure: unknown }[];
}

/** Return the objects that were idle: they need a job. */
export async function recordPaymentSyncRequests(
  tx: Tx,
  provider: string,
  objects: readonly { object: PaymentObjectType; id: string }[],
): Promise<string[]> {
  // Sorted, so that two transactions with the same ids cannot deadlock.
  const ids = objects.map(({ id }) => id);
  const kinds = objects.map(({ object }) => object);
  const rows = await querySql<{ id: string }>(tx)`
    WITH wanted AS (
      INSERT INTO payment_syncs AS kept (provider, object_id, object_type)
      SELECT DISTINCT ON (id) ${provider}, id, object FROM unnest(${ids}::text[], ${kinds}::text[]) AS input (id, object)
      ORDER BY id
      ON CONFLICT (provider, object_id) DO UPDATE SET requested_count = kept.requested_count + 1,
        object_type = excluded.object_type
      RETURNING object_id, requested_count, completed_count
    )
    SELECT object_id AS id FROM wanted WHERE completed_count = requested_count - 1`;
  return rows.map(({ id }) => id);
}

/** Null when the object is locked or idle. */
export async function claimPaymentSync(
  tx: Tx,
  { provider, objectId }: PaymentSyncTarget,
  lease: string,
  seconds: number,
): Promise<ClaimedSync | null> {
  const [row] = await querySql<{ object: PaymentObjectType; wanted: bigint }>(tx)`
    UPDATE payment_syncs SET lease = ${lease}, leased_until = now() + make_interval(secs => ${seconds})
    WHERE provider = ${provider} AND object_id = ${objectId} AND completed_count < requested_count
      AND (lease IS NULL OR leased_until <= now())
    RETURNING object_type AS object, requested_count AS wanted`;
  if (!row) return null;
  // Read after the row is locked, so that these are exactly the events counted in `wanted`.
  const events = await tx.webhookEvent.findMany({
    where: { provider, objectId, state: 'WAITING' },
    select: { eventId: true, createdAt: true, closure: true },
  });
  return { ...row, events };
}

/** Null when the object is idle. */
export async function findPaymentSyncLeaseSeconds(
  db: Db,
  { provider, objectId }: PaymentSyncTarget,
): Promise<number | null> {
  const [row] = await querySql<{ seconds: number }>(db)`
    SELECT greatest(0, ceil(extract(epoch FROM coalesce(leased_until, now()) - now())))::int AS seconds
    FROM payment_syncs WHERE provider = ${provider} AND object_id = ${objectId} AND completed_count < requested_count`;
  return row?.seconds ?? null;
}

/** Null when the lease was lost, otherwise whether later requests exist. */
export async function finishPaymentSync(
  tx: Tx,
  { provider, objectId }: PaymentSyncTarget,
  lease: string,
  wanted: bigint,
): Promise<{ isWantedAgain: boolean } | null> {
  const [row] = await querySql<{ isWantedAgain: boolean }>(tx)`
    UPDATE payment_syncs SET completed_count = ${wanted}, lease = NULL, leased_until = NULL
    WHERE provider = ${provider} AND object_id = ${objectId} AND lease = ${lease}
    RETURNING requested_count > completed_count AS "isWantedAgain"`;
  return row ?? null;
}

export async function releasePaymentSyncLease(
  db: Db,
  { provider, objectId }: PaymentSyncTarget,
  lease: string,
): Promise<void> {
  await executeSql(db)`
    UPDATE payment_syncs SET lease = NULL, leased_until = NULL
    WHERE provider = ${provider} AND object_id = ${objectId} AND lease = ${lease}`;
}

export async function listDuePaymentSyncIds(
  db: Db,
  provider: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await querySql<{ id: string }>(db)`
    SELECT object_id AS id FROM payment_syncs
    WHERE provider = ${provider} AND object_id > ${after} AND completed_count < requested_count
      AND (leased_until IS NULL OR leased_until <= now())
    ORDER BY object_id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** False unless the last one finished more than `intervalHours` ago and none may still run. */
export async function tryStartPaymentReconciliation(
  db: Db,
  provider: string,
  intervalHours: number,
): Promise<boolean> {
  const count = await executeSql(db)`
    INSERT INTO payment_reconciliations AS last (provider, started_at) VALUES (${provider}, now())
    ON CONFLICT (provider) DO UPDATE SET started_at = now(), finished_at = NULL
      WHERE last.started_at < now() - make_interval(hours => ${intervalHours})
         OR last.finished_at IS NULL AND last.started_at < now() - interval '50 minutes'`;
  return count > 0;
}

export async function finishPaymentReconciliation(db: Db, provider: string): Promise<void> {
  await executeSql(db)`
    INSERT INTO payment_reconciliations (provider, started_at, finished_at) VALUES (${provider}, now(), now())
    ON CONFLICT (provider) DO UPDATE SET finished_at = now()`;
}
