import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';

/** A document whose validity ends. */
export interface ExpiringDocument {
  id: string;
  ownerId: string;
  title: string;
  expiresOn: Date;
  key: string;
}

/** Days before the last one on which an owner is told, and days after it on which they are still told. */
const NOTIFY_DAYS_BEFORE = 30;
const NOTIFY_DAYS_AFTER = 2;

/** By the calendar of the owner. */
const OWNER_TODAY = Prisma.sql`(now() AT TIME ZONE users.time_zone)::date`;

const EVENT_CONDITIONS = {
  DOCUMENT_EXPIRING: Prisma.sql`expires_on > ${OWNER_TODAY} AND expires_on <= ${OWNER_TODAY} + ${NOTIFY_DAYS_BEFORE}::int`,
  DOCUMENT_EXPIRED: Prisma.sql`expires_on <= ${OWNER_TODAY} AND expires_on > ${OWNER_TODAY} - ${NOTIFY_DAYS_AFTER}::int`,
};

/** Where a list of documents by their last days goes on. */
export type ExpiryCursor = Pick<ExpiringDocument, 'expiresOn' | 'id'>;

/** Documents that end soon or now, of which their owners were not told for this day, `limit` at most, after a place among them. */
export async function findUnnotifiedExpiringDocuments(
  db: Db,
  event: keyof typeof EVENT_CONDITIONS,
  after: ExpiryCursor | null,
  limit: number,
): Promise<ExpiringDocument[]> {
  const key = Prisma.sql`${event}::text || ':' || document.id || ':' || expires_on`;
  // The first bounds are those of the index, whatever the time zone.
  return db.$queryRaw<ExpiringDocument[]>`
    SELECT document.id, owner_id AS "ownerId", title, expires_on AS "expiresOn", ${key} AS key
    FROM documents AS document JOIN users ON users.id = owner_id AND users.status <> 'DELETED'
    WHERE expires_on >= current_date - ${NOTIFY_DAYS_AFTER + 1}::int AND expires_on <= current_date + ${NOTIFY_DAYS_BEFORE + 1}::int
      AND ${EVENT_CONDITIONS[event]}
      AND (expires_on, document.id) > (${after?.expiresOn ?? new Date(0)}::date, ${after?.id ?? ''})
      AND NOT EXISTS (SELECT FROM notifications AS told WHERE told.user_id = owner_id AND told.key = ${key})
    ORDER BY expires_on, document.id LIMIT ${limit}`;
}
