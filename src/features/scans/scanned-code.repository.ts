import type { Tx } from '../../platform/database.ts';
import type { QrCodeRow } from '../qrcodes/qrcode.repository.ts';
import type { Query } from './scan-query.ts';

// As Prisma reads them. Those of an owner who was erased are as absent as deleted ones.
const CODES = `
  SELECT id, owner_id AS "ownerId", kind, mode, title, slug, status, status_before AS "statusBefore", data, visibility,
         design, logo, adjusted, lost_details AS "lostDetails", pin_hash AS "pinHash", image_file AS "imageFile",
         contactable, shows_page AS "showsPage", scan_count AS "scanCount", human_count AS "humanCount",
         unique_count AS "uniqueCount", last_scanned_at AS "lastScannedAt", expires_at AS "expiresAt",
         deleted_at AS "deletedAt", version, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM qr_codes AS code WHERE id = ANY ($1::text[]) AND status <> 'DELETED'
    AND EXISTS (SELECT FROM users WHERE users.id = code.owner_id AND users.status <> 'DELETED')`;

/** The codes with these ids that are not deleted, by id. */
export async function findScannedCodes(
  query: Query,
  ids: readonly string[],
): Promise<Map<string, QrCodeRow>> {
  const rows = await query<QrCodeRow>('find-scanned-codes', CODES, [ids]);
  for (const row of rows) {
    row.scanCount = BigInt(row.scanCount);
    row.humanCount = BigInt(row.humanCount);
    row.uniqueCount = BigInt(row.uniqueCount);
  }
  return new Map(rows.map((row) => [row.id, row]));
}

/** Keeps a code from changing until the transaction ends; scans of it wait. */
export async function holdCode(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM qr_codes WHERE id = ${id} FOR NO KEY UPDATE`;
}
