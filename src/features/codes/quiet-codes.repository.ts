import { querySql, type SqlConnection } from '../../platform/sql.ts';

export interface QuietCode {
  id: string;
  kind: string;
  title: string;
  status: string;
  lastScannedAt: Date | null;
}

/** Oldest codes of an account that are looked at, so that the cost is bounded. */
const MAX_CANDIDATES = 1_000;

/**
 * List active codes that were made before a time and not scanned since, those first that wait longest. Health records are
 * left out: that nobody needs one is good.
 */
export async function listQuietQrCodes(
  connection: SqlConnection,
  accountId: string,
  before: Date,
  take: number,
): Promise<QuietCode[]> {
  return querySql<QuietCode>(connection)`
    SELECT id, kind, title, status, last_scanned_at AS "lastScannedAt"
    FROM (
      SELECT id, kind, title, status, created_at, expires_at FROM qr_codes
      WHERE account_id = ${accountId} AND status <> 'DELETED' AND created_at < ${before}
      ORDER BY created_at, id LIMIT ${MAX_CANDIDATES}
    ) AS candidate LEFT JOIN scan_counts ON qr_code_id = id
    WHERE status = 'ACTIVE' AND kind <> 'MEDICAL' AND (expires_at IS NULL OR expires_at > now())
      AND (last_scanned_at IS NULL OR last_scanned_at < ${before})
    ORDER BY coalesce(last_scanned_at, created_at), id LIMIT ${take}`;
}
