import { Prisma } from '../../generated/prisma/client.ts';
import { querySql, type SqlConnection, sql } from '../../platform/sql.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';

export interface ScanWithoutMessage {
  id: string;
  qrCodeId: string;
  title: string;
  /** The newest place. */
  city: string | null;
  region: string | null;
  country: string | null;
  scannedAt: Date;
}

interface LocatedScanFilter {
  qrCodeId?: string | undefined;
  /** Older scans are left out. */
  from: Date | null;
}

/** Bounds the cost for an account whose codes are scanned all the time. */
const MAX_SEARCHED_SCANS = 1_000;

/** List scans by people that have a position, and whose finder has not written, newest first. */
export async function listScansWithoutMessage(
  connection: SqlConnection,
  accountId: string,
  { qrCodeId, from }: LocatedScanFilter,
  { after, take }: { after: TimeCursor | null; take: number },
): Promise<ScanWithoutMessage[]> {
  const parts = [
    sql`account_id = ${accountId}`,
    ...(qrCodeId ? [sql`qr_code_id = ${qrCodeId}`] : []),
    // Bounds of ids select partitions.
    ...(from ? [sql`scanned_at >= ${from} AND id >= ${getMinIdAt(from)}`] : []),
    ...(after
      ? [
          sql`(scanned_at, id) < (${after.at}, ${after.id}) AND id < ${getMinIdAt(new Date(after.at.getTime() + 1000))}`,
        ]
      : []),
  ];
  return querySql<ScanWithoutMessage>(connection)`
    SELECT scan.id, scan.qr_code_id AS "qrCodeId", code.title, place.city, place.region, place.country,
           scan.scanned_at AS "scannedAt"
    FROM (SELECT id, qr_code_id, class, position IS NOT NULL AS has_position, city, region, country, scanned_at FROM scans
          WHERE ${Prisma.join(parts, ' AND ')} ORDER BY scanned_at DESC, id DESC LIMIT ${MAX_SEARCHED_SCANS}) AS scan
    JOIN qr_codes AS code ON code.account_id = ${accountId} AND code.id = scan.qr_code_id AND code.status <> 'DELETED'
    CROSS JOIN LATERAL (
      SELECT known.city, known.region, known.country FROM (
        SELECT city, region, country, created_at, id FROM scan_locations
        WHERE account_id = ${accountId} AND scan_id = scan.id
        UNION ALL SELECT scan.city, scan.region, scan.country, scan.scanned_at, '') AS known
      ORDER BY known.created_at DESC, known.id DESC LIMIT 1) AS place
    WHERE scan.has_position AND scan.class IN ('HUMAN', 'DUPLICATE')
      AND NOT EXISTS (SELECT FROM conversations
                      WHERE conversations.account_id = ${accountId} AND conversations.scan_id = scan.id)
      AND NOT EXISTS (SELECT FROM conversation_messages AS message
                      WHERE message.account_id = ${accountId} AND message.scan_id = scan.id)
    ORDER BY scan.scanned_at DESC, scan.id DESC LIMIT ${take}`;
}
