import type { Db } from '../../platform/database.ts';
import { querySql, sql } from '../../platform/sql.ts';

export interface ExpiringDocument {
  id: string;
  accountId: string;
  title: string;
  expiresOn: Date;
  key: string;
}

const NOTIFY_DAYS_BEFORE = 30;
const NOTIFY_DAYS_AFTER = 2;

const OWNER_TODAY = sql`(now() AT TIME ZONE account.time_zone)::date`;

const EVENT_CONDITIONS = {
  'document.expiring': sql`expires_on > ${OWNER_TODAY} AND expires_on <= ${OWNER_TODAY} + ${NOTIFY_DAYS_BEFORE}::int`,
  'document.expired': sql`expires_on <= ${OWNER_TODAY} AND expires_on > ${OWNER_TODAY} - ${NOTIFY_DAYS_AFTER}::int`,
};

type ExpiryCursor = Pick<ExpiringDocument, 'expiresOn' | 'id'>;

/** Dates are in the owner's time zone. */
export async function findExpiringDocumentsToNotify(
  db: Db,
  event: keyof typeof EVENT_CONDITIONS,
  after: ExpiryCursor | null,
  limit: number,
): Promise<ExpiringDocument[]> {
  const key = sql`${event}::text || ':' || document.id || ':' || expires_on`;
  // These bounds use the index and cover every time zone.
  return querySql<ExpiringDocument>(db)`
    SELECT document.id, account_id AS "accountId", title, expires_on AS "expiresOn", ${key} AS key
    FROM documents AS document JOIN accounts AS account ON account.id = account_id AND account.status <> 'DELETED'
    WHERE deleted_at IS NULL AND expires_on >= current_date - ${NOTIFY_DAYS_AFTER + 1}::int AND expires_on <= current_date + ${NOTIFY_DAYS_BEFORE + 1}::int
      AND ${EVENT_CONDITIONS[event]}
      AND (expires_on, document.id) > (${after?.expiresOn ?? new Date(0)}::date, ${after?.id ?? ''})
      AND NOT EXISTS (SELECT FROM notifications AS sent WHERE sent.user_id = account_id AND sent.key = ${key})
    ORDER BY expires_on, document.id LIMIT ${limit}`;
}
