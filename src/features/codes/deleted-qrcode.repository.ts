import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { QR_CODE_RELATIONS, type QrCodeRow, type QrCodeWithScanCounts } from './qrcode.repository.ts';

export async function softDeleteQrCode(tx: Tx, accountId: string, id: string): Promise<void> {
  const deletedAt = new Date();
  await executeSql(tx)`
    UPDATE qr_codes
    SET previous_status = status, status = 'DELETED', deleted_at = ${deletedAt}, updated_at = ${deletedAt}, image_file = NULL, version = version + 1
    WHERE id = ${id} AND account_id = ${accountId} AND status <> 'DELETED'`;
}

export interface DeletedQrCode {
  id: string;
  version: number;
  imageFile: string | null;
}

/** Delete codes as `softDeleteQrCode` does; returns those that were not deleted before. */
export async function softDeleteQrCodes(tx: Tx, accountId: string, ids: string[]): Promise<DeletedQrCode[]> {
  const deletedAt = new Date();
  return querySql<DeletedQrCode>(tx)`
    WITH locked AS MATERIALIZED (
      SELECT id, image_file FROM qr_codes
      WHERE id = ANY(${ids}::text[]) AND account_id = ${accountId} AND status <> 'DELETED' ORDER BY id FOR UPDATE
    )
    UPDATE qr_codes AS code
    SET previous_status = status, status = 'DELETED', deleted_at = ${deletedAt}, updated_at = ${deletedAt}, image_file = NULL,
        version = version + 1
    FROM locked WHERE code.account_id = ${accountId} AND code.id = locked.id
    RETURNING code.id, code.version, locked.image_file AS "imageFile"`;
}

export async function findRestorableQrCode(
  db: Db,
  accountId: string,
  id: string,
  since: Date,
): Promise<QrCodeRow | null> {
  return db.qrCode.findFirst({
    where: { id, accountId, status: 'DELETED', deletedAt: { gt: since }, data: { not: null } },
  });
}

export interface QrCodeCreationFacts {
  /** Of codes deleted since then, up to a limit: their content is kept until it is purged. */
  deletedCount: number;
  deletedBytes: number;
  oldestDeletedAt: Date | null;
  isExternalIdTaken: boolean;
}

/** Find what decides whether an owner can create a code, in one statement. */
export async function findQrCodeCreationFacts(
  db: Db,
  { accountId, externalId }: { accountId: string; externalId: string | null },
  since: Date,
  limit: number,
): Promise<QrCodeCreationFacts> {
  const [facts] = await querySql<QrCodeCreationFacts>(db)`
    SELECT count(*)::int AS "deletedCount", coalesce(sum(bytes), 0)::float8 AS "deletedBytes", min(deleted_at) AS "oldestDeletedAt",
           EXISTS (SELECT FROM qr_codes WHERE account_id = ${accountId} AND external_id = ${externalId} AND status <> 'DELETED')
             AS "isExternalIdTaken"
    FROM (
      SELECT deleted_at, coalesce(octet_length(data), 0) + coalesce(octet_length(logo), 0) AS bytes
      FROM qr_codes
      WHERE account_id = ${accountId} AND status = 'DELETED' AND deleted_at > ${since} AND data IS NOT NULL
      LIMIT ${limit}) AS deleted`;
  if (!facts) throw new Error('An aggregate without groups has one row.');
  return facts;
}

/** Null when the deleted code was restored or purged meanwhile. */
export async function restoreQrCode(
  tx: Tx,
  { id, accountId, version }: Pick<QrCodeRow, 'id' | 'accountId' | 'version'>,
  imageFile: string,
): Promise<QrCodeWithScanCounts | null> {
  const count = await executeSql(tx)`
    UPDATE qr_codes
    SET status = coalesce(previous_status, 'ACTIVE'), previous_status = NULL, deleted_at = NULL, image_file = ${imageFile},
        lost_details = CASE WHEN previous_status = 'LOST' THEN lost_details END, version = version + 1, updated_at = ${new Date()}
    WHERE id = ${id} AND account_id = ${accountId} AND status = 'DELETED' AND version = ${version} AND data IS NOT NULL`;
  return count === 1
    ? tx.qrCode.findUniqueOrThrow({ where: { id, accountId }, include: QR_CODE_RELATIONS })
    : null;
}

export async function listPurgeableQrCodes(db: Db, before: Date, limit: number) {
  return db.qrCode.findMany({
    where: { status: 'DELETED', deletedAt: { lt: before }, data: { not: null } },
    select: { id: true, accountId: true, imageFile: true },
    orderBy: { deletedAt: 'asc' },
    take: limit,
  });
}

/** Clear what was kept to undo that an item was found. */
export async function clearOldFoundDetails(db: Db, before: Date): Promise<number> {
  return executeSql(db)`
    UPDATE qr_codes SET found_details = NULL, found_at = NULL WHERE found_at < ${before}`;
}

/** Scans stay for the statistics. */
export async function purgeQrCode(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { count } = await tx.qrCode.updateMany({
    where: { id, accountId, status: 'DELETED', data: { not: null } },
    data: {
      data: null,
      logo: null,
      lostDetails: null,
      foundDetails: null,
      foundAt: null,
      pinHash: null,
      imageFile: null,
      visibility: {},
      design: {},
      pageDesign: {},
      externalId: null,
      metadata: {},
      folderId: null,
    },
  });
  return count === 1;
}
