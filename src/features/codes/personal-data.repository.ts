import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { QR_CODE_RELATIONS } from './qrcode.repository.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

const ERASED_CODE = { title: 'Erased', slug: 'erased' };

export async function findQrCodesByIds(db: Db, accountId: string, ids: string[]) {
  return db.qrCode.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: QR_CODE_RELATIONS,
  });
}

export async function findQrCodeImageNames(db: Db, accountId: string, ids: string[]): Promise<string[]> {
  const where = { accountId, id: { in: ids }, imageFile: { not: null } };
  const rows = await db.qrCode.findMany({ where, select: { imageFile: true }, orderBy: NEWEST_FIRST });
  return rows.flatMap(({ imageFile }) => (imageFile === null ? [] : [imageFile]));
}

/** Note images for removal. The first batch skips codes locked by a scan. True once none remain. */
export async function eraseQrCodeBatch(
  tx: Tx,
  erasure: ErasureRow,
  { limit, skipLocked }: ErasureBatchOptions,
): Promise<boolean> {
  // Scans are erased only once no code remains.
  if (erasure.scanCursorAt !== null) return true;
  const count = await eraseSomeQrCodes(tx, erasure, limit, skipLocked);
  return count < limit && !(skipLocked && (await hasUnerasedCodes(tx, erasure.userId)));
}

async function eraseSomeQrCodes(
  tx: Tx,
  { id, userId }: ErasureRow,
  limit: number,
  skipLocked: boolean,
): Promise<number> {
  const { title, slug } = ERASED_CODE;
  const skip = skipLocked ? sql`SKIP LOCKED` : Prisma.empty;
  return executeSql(tx)`
    WITH picked AS MATERIALIZED (
      SELECT id, image_file FROM qr_codes WHERE ${whereUnerased(userId)} ORDER BY id LIMIT ${limit} FOR UPDATE ${skip}
    ), files AS (
      INSERT INTO erased_files (erasure_id, folder, name)
      SELECT ${id}, 'qrcodes', image_file FROM picked WHERE image_file IS NOT NULL
      ON CONFLICT DO NOTHING
    ), links AS (
      DELETE FROM test_links USING picked WHERE qr_code_id = picked.id
    ), visitors AS (
      DELETE FROM scan_visitors USING picked WHERE qr_code_id = picked.id
    )
    UPDATE qr_codes AS code SET
      title = ${title}, slug = ${slug}, status = 'DELETED', previous_status = NULL,
      deleted_at = coalesce(deleted_at, now()), data = NULL, visibility = '{}', design = '{}', logo = NULL,
      adjusted = '[]', page_design = '{}', external_id = NULL, metadata = '{}', lost_details = NULL, found_details = NULL, found_at = NULL, pin_hash = NULL, image_file = NULL, contactable = false,
      shows_page = false, notify_on = 'EVERY_SCAN', expires_at = NULL, taken_down_at = NULL, folder_id = NULL, version = version + 1, updated_at = now()
    FROM picked WHERE code.account_id = ${userId} AND code.id = picked.id`;
}

async function hasUnerasedCodes(tx: Tx, userId: string): Promise<boolean> {
  const rows = await querySql<unknown>(tx)`SELECT 1 FROM qr_codes WHERE ${whereUnerased(userId)} LIMIT 1`;
  return rows.length > 0;
}

function whereUnerased(userId: string): Prisma.Sql {
  return sql`account_id = ${userId} AND (data IS NOT NULL OR title <> ${ERASED_CODE.title} OR slug <> ${ERASED_CODE.slug})`;
}
