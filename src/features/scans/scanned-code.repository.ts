import type { Tx } from '../../platform/database.ts';
import { executeSql, querySql, type SqlConnection } from '../../platform/sql.ts';
import { PUBLIC_QR_CODE_STATUS_SQL, QR_CODE_PICTURES_SQL } from '../codes/index.ts';
import type { QrCodeWithNotificationSettings } from './scanned-code.ts';

// LATERAL: the planner expects many ids and would scan small tables completely.
const SCANNED_CODES_QUERY = `
  SELECT code.* FROM unnest($1::text[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT id, account_id AS "accountId", kind, title, data, visibility, lost_details AS "lostDetails",
           pin_hash AS "pinHash", contactable, shows_page AS "showsPage", page_design AS "pageDesign", expires_at AS "expiresAt", version, notify_on AS "notifyOn",
           ${PUBLIC_QR_CODE_STATUS_SQL} AS status,
           ${QR_CODE_PICTURES_SQL} AS pictures,
           (SELECT account.time_zone FROM accounts AS account WHERE account.id = account_id) AS "ownerTimeZone",
           EXISTS (SELECT FROM blocked_finders AS blocked WHERE blocked.account_id = qr_codes.account_id) AS "ownerBlocks"
    FROM qr_codes
    WHERE qr_codes.id = wanted.id AND status <> 'DELETED'
      AND (SELECT account.status <> 'DELETED' FROM accounts AS account WHERE account.id = account_id)
    LIMIT 1) AS code`;

export async function findScannedQrCodesById(
  connection: SqlConnection,
  ids: readonly string[],
): Promise<Map<string, QrCodeWithNotificationSettings>> {
  const rows = await querySql<QrCodeWithNotificationSettings>(connection, { isPrepared: true })({
    text: SCANNED_CODES_QUERY,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

export async function lockQrCodeForScan(tx: Tx, id: string): Promise<void> {
  await executeSql(tx)`SELECT FROM qr_codes WHERE id = ${id} FOR NO KEY UPDATE`;
}
