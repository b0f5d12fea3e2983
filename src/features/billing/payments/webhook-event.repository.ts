import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import type { PaymentObjectType, PaymentSyncTarget } from './payment-sync.repository.ts';

export interface NewWebhookEvent {
  provider: string;
  eventId: string;
  kind: string;
  /** Null for an event that is ignored. */
  subject: { object: PaymentObjectType; id: string } | null;
  closure: object | null;
  createdAt: Date;
}

/** Insert each event once and return the objects that were idle: they need a job. */
export async function insertWebhookEvents(
  tx: Tx,
  events: readonly NewWebhookEvent[],
): Promise<PaymentSyncTarget[]> {
  const rows = events.map(({ provider, eventId, kind, subject, closure, createdAt }) => ({
    provider,
    event_id: eventId,
    kind,
    object: subject?.object,
    object_id: subject?.id,
    closure,
    created_at: createdAt,
  }));
  return querySql<PaymentSyncTarget>(tx)`
    WITH input AS MATERIALIZED (
      SELECT DISTINCT ON (provider, event_id) * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS event (
        provider text, event_id text, kind text, object text, object_id text, closure jsonb, created_at timestamptz)
      ORDER BY provider, event_id
    ), fresh AS MATERIALIZED (
      INSERT INTO webhook_events (provider, event_id, kind, object_id, closure, state, created_at)
      SELECT provider, event_id, kind, object_id, nullif(closure, 'null'::jsonb),
             CASE WHEN object_id IS NULL THEN 'IGNORED' ELSE 'WAITING' END, created_at
      FROM input ORDER BY provider, event_id
      ON CONFLICT (provider, event_id) DO NOTHING
      RETURNING provider, event_id
    ), reasons AS MATERIALIZED (
      SELECT provider, object_id, min(object) AS object, count(*) AS times
      FROM fresh JOIN input USING (provider, event_id) WHERE object_id IS NOT NULL
      GROUP BY provider, object_id
    ), wanted AS (
      -- In one order: two groups with the same objects cannot wait for each other.
      INSERT INTO payment_syncs AS kept (provider, object_id, object_type, requested_count)
      SELECT provider, object_id, object, times FROM reasons ORDER BY provider, object_id
      ON CONFLICT (provider, object_id) DO UPDATE SET requested_count = kept.requested_count + excluded.requested_count,
        object_type = excluded.object_type
      RETURNING provider, object_id, requested_count, completed_count
    )
    SELECT provider, object_id AS "objectId"
    FROM wanted JOIN reasons USING (provider, object_id) WHERE completed_count = requested_count - times`;
}

/** Also delete what the events report. */
export async function completeWebhookEvents(
  tx: Tx,
  provider: string,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  await executeSql(tx)`
    UPDATE webhook_events SET state = 'DONE', closure = NULL
    WHERE provider = ${provider} AND event_id = ANY(${[...eventIds]}) AND state = 'WAITING'`;
}

/** Waiting events stay. */
export async function deleteOldWebhookEvents(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM webhook_events WHERE (provider, event_id) IN (
      SELECT provider, event_id FROM webhook_events
      WHERE received_at < ${before} AND state <> 'WAITING' ORDER BY received_at LIMIT ${limit})`;
}

export async function deleteIdlePaymentSyncs(db: Db): Promise<void> {
  await executeSql(db)`DELETE FROM payment_syncs WHERE completed_count = requested_count AND lease IS NULL`;
}
