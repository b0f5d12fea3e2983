import type { Prisma, QrCode, ScanCount } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';
import type { PictureRow } from '../files/index.ts';
import type { PageDesign } from './page-design.rules.ts';

export type QrCodeRow = QrCode;

export type PictureSummary = Pick<PictureRow, 'id' | 'caption' | 'position' | 'width' | 'height'>;

export type QrCodeWithScanCounts = QrCodeRow & { counts: ScanCount | null };

export interface NewQrCodeRow {
  id: string;
  ownerId: string;
  kind: string;
  mode: string;
  title: string;
  slug: string;
  externalId: string | null;
  metadata: Metadata;
  data: Uint8Array<ArrayBuffer>;
  visibility: Record<string, string>;
  design: Record<string, unknown>;
  logo: Uint8Array<ArrayBuffer> | null;
  adjusted: Record<string, unknown>[];
  pageDesign: PageDesign;
  pinHash: string | null;
  imageFile: string;
  contactable: boolean;
  showsPage: boolean;
  notifyOn: string;
  expiresAt: Date | null;
  /** ACTIVE by default. */
  status?: string;
}

export type QrCodeRowChange = Partial<
  Omit<NewQrCodeRow, 'id' | 'ownerId' | 'kind' | 'mode' | 'slug'> & {
    lostDetails: Uint8Array<ArrayBuffer> | null;
  }
>;

export async function insertQrCode(tx: Tx, row: NewQrCodeRow): Promise<QrCodeWithScanCounts> {
  const created = await tx.qrCode.create({
    data: {
      ...row,
      visibility: row.visibility,
      design: row.design as Prisma.InputJsonObject,
      adjusted: row.adjusted as Prisma.InputJsonArray,
    },
  });
  return { ...created, counts: null };
}

/** Rows in a statement: larger ones occupy the process for too long. */
const INSERT_BATCH_SIZE = 250;

/** One statement for many rows: `createMany` takes three times the CPU of this process. */
export async function insertQrCodes(tx: Tx, rows: readonly NewQrCodeRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += INSERT_BATCH_SIZE) {
    const batch = rows.slice(at, at + INSERT_BATCH_SIZE).map((row) => ({
      ...row,
      data: Buffer.from(row.data).toString('hex'),
      logo: row.logo && Buffer.from(row.logo).toString('hex'),
    }));
    await tx.$executeRaw`
      INSERT INTO qr_codes (id, owner_id, kind, mode, title, slug, external_id, metadata, data, visibility, design, logo, adjusted,
                            page_design, pin_hash, image_file, contactable, shows_page, notify_on, expires_at, status)
      SELECT id, "ownerId", kind, mode, title, slug, "externalId", metadata, decode(data, 'hex'), visibility, design,
             decode(logo, 'hex'), adjusted, "pageDesign", "pinHash", "imageFile", contactable, "showsPage", "notifyOn", "expiresAt",
             coalesce(status, 'ACTIVE')
      FROM jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) AS input (
        id text, "ownerId" text, kind text, mode text, title text, slug text, "externalId" text, metadata jsonb, data text,
        visibility jsonb, design jsonb, logo text, adjusted jsonb, "pageDesign" jsonb, "pinHash" text, "imageFile" text,
        contactable boolean, "showsPage" boolean, "notifyOn" text, "expiresAt" timestamptz, status text)`;
  }
}

/** Find the owner's codes with ids, by id. */
export async function findQrCodesByOwnIds(
  db: Db,
  ownerId: string,
  ids: string[],
): Promise<Map<string, QrCodeWithScanCounts>> {
  const rows = await db.qrCode.findMany({
    where: { ownerId, id: { in: ids }, status: { not: 'DELETED' } },
    include: { counts: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Find the owner's codes with external ids, by external id; deleted codes have none. */
export async function findQrCodesByExternalIds(
  db: Db,
  ownerId: string,
  externalIds: string[],
): Promise<Map<string, QrCodeWithScanCounts>> {
  const rows = await db.qrCode.findMany({
    where: { ownerId, externalId: { in: externalIds }, status: { not: 'DELETED' } },
    include: { counts: true },
  });
  return new Map(rows.map((row) => [row.externalId ?? '', row]));
}

export async function findOwnQrCode(
  db: Db,
  ownerId: string,
  id: string,
): Promise<QrCodeWithScanCounts | null> {
  return db.qrCode.findFirst({
    where: { id, ownerId, status: { not: 'DELETED' } },
    include: { counts: true },
  });
}

/** Null if no code of the owner has the id; deleted codes have none. */
export async function findQrCodeIdByExternalId(
  db: Db,
  ownerId: string,
  externalId: string,
): Promise<string | null> {
  const row = await db.qrCode.findFirst({
    where: { ownerId, externalId, status: { not: 'DELETED' } },
    select: { id: true },
  });
  return row?.id ?? null;
}

export async function lockQrCodeRow(tx: Tx, ownerId: string, id: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM qr_codes WHERE id = ${id} AND owner_id = ${ownerId} FOR UPDATE`;
}

export async function findQrCode(db: Db, id: string): Promise<QrCodeRow | null> {
  const owner = { status: { not: 'DELETED' } };
  return db.qrCode.findFirst({ where: { id, status: { not: 'DELETED' }, owner } });
}

export async function findQrCodeByImage(db: Db, imageFile: string): Promise<QrCodeRow | null> {
  const owner = { status: { not: 'DELETED' } };
  return db.qrCode.findFirst({ where: { imageFile, status: { not: 'DELETED' }, owner } });
}

export interface LockedQrCode {
  id: string;
  ownerId: string;
  title: string;
  takenDownAt: Date | null;
  /** False once a deleted code was purged. */
  hasContent: boolean;
}

/** Lock a code of any status and owner for a decision of administrators. Null when its owner was erased. */
export async function lockQrCodeForModeration(tx: Tx, id: string): Promise<LockedQrCode | null> {
  const [row] = await tx.$queryRaw<LockedQrCode[]>`
    SELECT code.id, owner_id AS "ownerId", title, taken_down_at AS "takenDownAt", data IS NOT NULL AS "hasContent"
    FROM qr_codes AS code JOIN users AS owner ON owner.id = code.owner_id AND owner.status <> 'DELETED'
    WHERE code.id = ${id} FOR NO KEY UPDATE OF code`;
  return row ?? null;
}

/** Withhold a code from finders, or end it with null. The version changes, so that caches and tickets end. */
export async function updateQrCodeTakenDownAt(tx: Tx, id: string, takenDownAt: Date | null): Promise<void> {
  await tx.qrCode.update({
    where: { id },
    data: { takenDownAt, version: { increment: 1 }, updatedAt: new Date() },
    select: { id: true },
  });
}

export async function isQrCodeTakenDown(db: Db, id: string): Promise<boolean> {
  return (await db.qrCode.count({ where: { id, takenDownAt: { not: null } } })) > 0;
}

/** Status that finders see of a code that is taken down or whose owner is suspended; never stored. */
export const WITHHELD_STATUS = 'WITHHELD';

export function getPublicQrCodeStatus(
  { status, takenDownAt }: Pick<QrCodeRow, 'status' | 'takenDownAt'>,
  ownerStatus: string,
): string {
  if (status === 'DELETED' || ownerStatus === 'DELETED') return 'DELETED';
  return takenDownAt !== null || ownerStatus === 'SUSPENDED' ? WITHHELD_STATUS : status;
}

/** `getPublicQrCodeStatus` as an expression over a row of `qr_codes`. */
export const PUBLIC_QR_CODE_STATUS_SQL = `
  (SELECT CASE WHEN qr_codes.status = 'DELETED' OR users.status = 'DELETED' THEN 'DELETED'
               WHEN qr_codes.taken_down_at IS NOT NULL OR users.status = 'SUSPENDED' THEN '${WITHHELD_STATUS}'
               ELSE qr_codes.status END
   FROM users WHERE users.id = qr_codes.owner_id)`;

export type QrCodeWithPictures = QrCodeRow & { pictures: PictureSummary[] };

/** Columns of pictures that pages and scan answers need. */
export const QR_CODE_PICTURES_QUERY = {
  select: { id: true, caption: true, position: true, width: true, height: true },
  orderBy: { position: 'asc' },
} as const;

/** `QR_CODE_PICTURES_QUERY` as an expression over a row of `qr_codes`. */
export const QR_CODE_PICTURES_SQL = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'caption', caption, 'position', position, 'width', width,
                                                'height', height) ORDER BY position), '[]')
   FROM pictures WHERE pictures.qr_code_id = qr_codes.id)`;

/** Find a code as finders may see it, with the status WITHHELD if they may not. */
export async function findPublicQrCode(db: Db, id: string): Promise<QrCodeWithPictures | null> {
  const row = await db.qrCode.findFirst({
    where: { id, status: { not: 'DELETED' }, owner: { status: { not: 'DELETED' } } },
    include: { owner: { select: { status: true } }, pictures: QR_CODE_PICTURES_QUERY },
  });
  if (!row) return null;
  const { owner, ...code } = row;
  return { ...code, status: getPublicQrCodeStatus(code, owner.status) };
}

/** Both look-ups use unique keys: image requests are frequent. */
export async function isQrCodeImageWithheld(
  db: Db,
  imageFile: string,
  ownerId: string | null,
): Promise<boolean> {
  const rows = await db.$queryRaw<{ isWithheld: boolean }[]>`
    SELECT EXISTS (SELECT FROM users WHERE id = ${ownerId} AND status = 'SUSPENDED')
        OR EXISTS (SELECT FROM qr_codes WHERE image_file = ${imageFile} AND taken_down_at IS NOT NULL) AS "isWithheld"`;
  return rows[0]?.isWithheld === true;
}

export async function findQrCodeScanCounts(db: Db, qrCodeId: string): Promise<ScanCount | null> {
  return db.scanCount.findUnique({ where: { qrCodeId } });
}

/** For a change of what belongs to a code that this transaction has locked. */
export async function incrementQrCodeVersion(tx: Tx, id: string): Promise<void> {
  await tx.qrCode.update({
    where: { id },
    data: { version: { increment: 1 }, updatedAt: new Date() },
    select: { id: true },
  });
}

/** Null when the code was changed or deleted meanwhile. The scan counts are those of `row`. */
export async function updateQrCode(
  tx: Tx,
  row: QrCodeWithScanCounts,
  change: QrCodeRowChange,
): Promise<QrCodeWithScanCounts | null> {
  const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const [updatedRow] = await tx.qrCode.updateManyAndReturn({
    where: { id: row.id, ownerId: row.ownerId, version: row.version, status: { not: 'DELETED' } },
    data: { ...changes, version: { increment: 1 }, updatedAt: new Date() },
  });
  return updatedRow ? { ...updatedRow, counts: row.counts } : null;
}

export async function softDeleteQrCode(tx: Tx, ownerId: string, id: string): Promise<void> {
  const deletedAt = new Date();
  await tx.$executeRaw`
    UPDATE qr_codes
    SET previous_status = status, status = 'DELETED', deleted_at = ${deletedAt}, updated_at = ${deletedAt}, image_file = NULL, version = version + 1
    WHERE id = ${id} AND owner_id = ${ownerId} AND status <> 'DELETED'`;
}

export interface DeletedQrCode {
  id: string;
  version: number;
  imageFile: string | null;
}

/** Delete codes as `softDeleteQrCode` does; returns those that were not deleted before. */
export async function softDeleteQrCodes(tx: Tx, ownerId: string, ids: string[]): Promise<DeletedQrCode[]> {
  const deletedAt = new Date();
  return tx.$queryRaw<DeletedQrCode[]>`
    WITH locked AS MATERIALIZED (
      SELECT id, image_file FROM qr_codes
      WHERE id = ANY(${ids}::text[]) AND owner_id = ${ownerId} AND status <> 'DELETED' ORDER BY id FOR UPDATE
    )
    UPDATE qr_codes AS code
    SET previous_status = status, status = 'DELETED', deleted_at = ${deletedAt}, updated_at = ${deletedAt}, image_file = NULL, version = version + 1
    FROM locked WHERE code.id = locked.id
    RETURNING code.id, code.version, locked.image_file AS "imageFile"`;
}

export async function findRestorableQrCode(
  db: Db,
  ownerId: string,
  id: string,
  since: Date,
): Promise<QrCodeRow | null> {
  return db.qrCode.findFirst({
    where: { id, ownerId, status: 'DELETED', deletedAt: { gt: since }, data: { not: null } },
  });
}

/** Count an owner's codes deleted since then, up to a limit: their content is kept until it is purged. */
export async function findDeletedQrCodeUsage(
  db: Db,
  ownerId: string,
  since: Date,
  limit: number,
): Promise<{ count: number; bytes: number; oldestDeletedAt: Date | null }> {
  const [usage] = await db.$queryRaw<{ count: number; bytes: number; oldestDeletedAt: Date | null }[]>`
    SELECT count(*)::int AS count, coalesce(sum(bytes), 0)::float8 AS bytes, min(deleted_at) AS "oldestDeletedAt"
    FROM (
      SELECT deleted_at, coalesce(octet_length(data), 0) + coalesce(octet_length(logo), 0) AS bytes
      FROM qr_codes
      WHERE owner_id = ${ownerId} AND status = 'DELETED' AND deleted_at > ${since} AND data IS NOT NULL
      LIMIT ${limit}) AS deleted`;
  return usage ?? { count: 0, bytes: 0, oldestDeletedAt: null };
}

/** Null when the deleted code was restored or purged meanwhile. */
export async function restoreQrCode(
  tx: Tx,
  { id, ownerId, version }: Pick<QrCodeRow, 'id' | 'ownerId' | 'version'>,
  imageFile: string,
): Promise<QrCodeWithScanCounts | null> {
  const count = await tx.$executeRaw`
    UPDATE qr_codes
    SET status = coalesce(previous_status, 'ACTIVE'), previous_status = NULL, deleted_at = NULL, image_file = ${imageFile},
        lost_details = CASE WHEN previous_status = 'LOST' THEN lost_details END, version = version + 1, updated_at = ${new Date()}
    WHERE id = ${id} AND owner_id = ${ownerId} AND status = 'DELETED' AND version = ${version} AND data IS NOT NULL`;
  return count === 1 ? tx.qrCode.findUniqueOrThrow({ where: { id }, include: { counts: true } }) : null;
}

export async function listPurgeableQrCodes(db: Db, before: Date, limit: number) {
  return db.qrCode.findMany({
    where: { status: 'DELETED', deletedAt: { lt: before }, data: { not: null } },
    select: { id: true, imageFile: true },
    orderBy: { deletedAt: 'asc' },
    take: limit,
  });
}

/** Scans stay for the statistics. */
export async function purgeQrCode(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.qrCode.updateMany({
    where: { id, status: 'DELETED', data: { not: null } },
    data: {
      data: null,
      logo: null,
      lostDetails: null,
      pinHash: null,
      imageFile: null,
      visibility: {},
      design: {},
      pageDesign: {},
      externalId: null,
      metadata: {},
    },
  });
  return count === 1;
}

export async function listQrCodesWithImage(db: Db, afterId: string, limit: number) {
  return db.qrCode.findMany({
    where: { id: { gt: afterId }, imageFile: { not: null } },
    orderBy: { id: 'asc' },
    take: limit,
  });
}

/** List names of images of the owner's codes in a range of ids, both inclusive. */
export async function listQrCodeImagesBetween(
  db: Db,
  ownerId: string,
  { firstId, lastId }: { firstId: string; lastId: string },
): Promise<string[]> {
  const rows = await db.qrCode.findMany({
    where: { ownerId, id: { gte: firstId, lte: lastId }, imageFile: { not: null } },
    select: { imageFile: true },
    orderBy: { id: 'asc' },
  });
  return rows.flatMap(({ imageFile }) => imageFile ?? []);
}

export async function listOldestAndNewestDynamicQrCodes(db: Db, limit: number) {
  const list = (direction: 'asc' | 'desc') =>
    db.qrCode.findMany({
      where: { mode: 'DYNAMIC', imageFile: { not: null } },
      select: { id: true, imageFile: true },
      orderBy: { id: direction },
      take: limit,
    });
  return [...(await list('asc')), ...(await list('desc'))];
}

export async function countQrCodesWithImage(db: Db): Promise<number> {
  return db.qrCode.count({ where: { imageFile: { not: null } } });
}

export async function isQrCodeImageReferenced(db: Db, imageFile: string): Promise<boolean> {
  return (await db.qrCode.count({ where: { imageFile } })) > 0;
}

export async function updateQrCodeImage(
  db: Db,
  row: { id: string; imageFile: string | null },
  image: { imageFile: string; design: Record<string, unknown> },
): Promise<boolean> {
  const { count } = await db.qrCode.updateMany({
    where: { id: row.id, imageFile: row.imageFile },
    // Copies of the code need the other address.
    data: {
      imageFile: image.imageFile,
      design: image.design as Prisma.InputJsonObject,
      updatedAt: new Date(),
    },
  });
  return count === 1;
}
