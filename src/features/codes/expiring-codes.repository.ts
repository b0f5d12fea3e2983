import type { Db } from '../../platform/database.ts';
import { querySql, sql } from '../../platform/sql.ts';

export interface ExpiringQrCode {
  id: string;
  accountId: string;
  title: string;
  expiresAt: Date;
  timeZone: string;
  key: string;
}

/** Owners are notified from this many days before the expiry until this many days after it. */
const DAYS_BEFORE = 7;
const DAYS_AFTER = 2;

const EXPIRY_CONDITIONS = {
  'code.expiring': sql`expires_at > now() AND expires_at <= now() + ${DAYS_BEFORE}::int * interval '1 day'`,
  'code.expired': sql`expires_at <= now() AND expires_at > now() - ${DAYS_AFTER}::int * interval '1 day'`,
};

type ExpiringQrCodeCursor = Pick<ExpiringQrCode, 'expiresAt' | 'id'>;

export async function findUnnotifiedExpiringQrCodes(
  db: Db,
  event: keyof typeof EXPIRY_CONDITIONS,
  after: ExpiringQrCodeCursor | null,
  limit: number,
): Promise<ExpiringQrCode[]> {
  const key = sql`${event}::text || ':' || code.id || ':' || extract(epoch FROM expires_at)::bigint`;
  return querySql<ExpiringQrCode>(db)`
    SELECT code.id, account_id AS "accountId", title, expires_at AS "expiresAt", time_zone AS "timeZone", ${key} AS key
    FROM qr_codes AS code JOIN accounts AS account ON account.id = account_id AND account.status <> 'DELETED'
    WHERE expires_at IS NOT NULL AND code.status <> 'DELETED' AND ${EXPIRY_CONDITIONS[event]}
      AND (expires_at, code.id) > (${after?.expiresAt ?? new Date(0)}::timestamptz, ${after?.id ?? ''})
      AND NOT EXISTS (SELECT FROM notifications AS sent WHERE sent.user_id = account_id AND sent.key = ${key})
    ORDER BY expires_at, code.id LIMIT ${limit}`;
}
