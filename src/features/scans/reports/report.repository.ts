import { querySql, type SqlConnection } from '../../../platform/sql.ts';
import type { ScanStatisticsPeriod } from '../statistics/statistics-period.rules.ts';
import type { RecentScan } from './report-content.rules.ts';

const SUBJECT_COLUMN = { QRCODE: 'qr_code_id', OWNER: 'account_id' } as const;

export async function findOwnQrCodeTitle(
  connection: SqlConnection,
  accountId: string,
  qrCodeId: string,
): Promise<string | null> {
  const rows = await querySql<{ title: string }>(connection)({
    text: 'SELECT title FROM qr_codes WHERE id = $1 AND account_id = $2',
    values: [qrCodeId, accountId],
  });
  return rows[0]?.title ?? null;
}

export async function listRecentScans(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
  limit: number,
): Promise<RecentScan[]> {
  const { type, id } = period.subject;
  return querySql<RecentScan>(connection, { isPrepared: true })({
    text: `
      SELECT scan.scanned_at AS "scannedAt", scan.class, scan.city, scan.country, scan.device, scan.os, scan.browser,
             scan.qr_code_id || encode(scan.visitor_hash, 'hex') AS visitor, code.title
      FROM (SELECT * FROM scans WHERE ${SUBJECT_COLUMN[type]} = $1 AND scanned_at >= $2::timestamptz
              AND scanned_at < $3::timestamptz AND id >= $4 AND id < $5
            ORDER BY scanned_at DESC, id DESC LIMIT $6) AS scan
      JOIN qr_codes AS code ON code.id = scan.qr_code_id
      ORDER BY scan.scanned_at DESC, scan.id DESC`,
    values: [id, period.from, period.to, period.firstId, period.beyondId, limit],
  });
}
