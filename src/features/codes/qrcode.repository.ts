import {
  type Folder,
  Prisma,
  type QrCode,
  type ScanCount,
  type ShortNumber,
} from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';
import type { PictureRow } from '../files/index.ts';
import type { PageDesign } from './page-design.rules.ts';
import { insertShortNumbers } from './short-number.repository.ts';
import { generateShortNumber } from './short-number.rules.ts';

export type QrCodeRow = QrCode;

export type PictureSummary = Pick<PictureRow, 'id' | 'caption' | 'position' | 'width' | 'height'>;

export type QrCodeWithScanCounts = QrCodeRow & {
  counts: ScanCount | null;
  /** Null for a moment after the upgrade from a version without numbers. */
  shortNumber: ShortNumber | null;
  /** May be deleted. */
  folder: Folder | null;
};

export const QR_CODE_RELATIONS = { counts: true, shortNumber: true, folder: true } as const;

export interface NewQrCodeRow {
  id: string;
  accountId: string;
  kind: string;
  mode: string;
  title: string;
  slug: string;
  externalId: string | null;
  metadata: Metadata;
  folderId: string | null;
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
  Omit<NewQrCodeRow, 'id' | 'accountId' | 'kind' | 'mode' | 'slug'> & {
    lostDetails: Uint8Array<ArrayBuffer> | null;
    foundDetails: Uint8Array<ArrayBuffer> | null;
    foundAt: Date | null;
  }
>;

export async function insertQrCode(tx: Tx, row: NewQrCodeRow): Promise<QrCodeWithScanCounts> {
  const created = await tx.qrCode.create({
    data: {
      ...row,
      visibility: row.visibility,
      design: row.design as Prisma.InputJsonObject,
      adjusted: row.adjusted as Prisma.InputJsonArray,
      shortNumber: { create: { number: generateShortNumber() } },
    },
    include: { shortNumber: true, folder: true },
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
    await executeSql(tx)`
      INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, external_id, metadata, folder_id, data, visibility, design, logo, adjusted,
                            page_design, pin_hash, image_file, contactable, shows_page, notify_on, expires_at, status)
      SELECT id, "accountId", kind, mode, title, slug, "externalId", metadata, "folderId", decode(data, 'hex'), visibility, design,
             decode(logo, 'hex'), adjusted, "pageDesign", "pinHash", "imageFile", contactable, "showsPage", "notifyOn", "expiresAt",
             coalesce(status, 'ACTIVE')
      FROM jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) AS input (
        id text, "accountId" text, kind text, mode text, title text, slug text, "externalId" text, metadata jsonb, "folderId" text, data text,
        visibility jsonb, design jsonb, logo text, adjusted jsonb, "pageDesign" jsonb, "pinHash" text, "imageFile" text,
        contactable boolean, "showsPage" boolean, "notifyOn" text, "expiresAt" timestamptz, status text)`;
    await insertShortNumbers(
      tx,
      batch.map(({ id }) => id),
    );
  }
}

/** Find the owner's codes with ids, by id. */
export async function findQrCodesByOwnIds(
  db: Db,
  accountId: string,
  ids: string[],
): Promise<Map<string, QrCodeWithScanCounts>> {
  const rows = await db.qrCode.findMany({
    where: { accountId, id: { in: ids }, status: { not: 'DELETED' } },
    include: QR_CODE_RELATIONS,
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Find the owner's codes with external ids, by external id; deleted codes have none. */
export async function findQrCodesByExternalIds(
  db: Db,
  accountId: string,
  externalIds: string[],
): Promise<Map<string, QrCodeWithScanCounts>> {
  const rows = await db.qrCode.findMany({
    where: { accountId, externalId: { in: externalIds }, status: { not: 'DELETED' } },
    include: QR_CODE_RELATIONS,
  });
  return new Map(rows.map((row) => [row.externalId ?? '', row]));
}

export async function findOwnQrCode(
  db: Db,
  accountId: string,
  id: string,
): Promise<QrCodeWithScanCounts | null> {
  return db.qrCode.findFirst({
    where: { id, accountId, status: { not: 'DELETED' } },
    include: QR_CODE_RELATIONS,
  });
}

/** Null if no code of the owner has the id; deleted codes have none. */
export async function findQrCodeIdByExternalId(
  db: Db,
  accountId: string,
  externalId: string,
): Promise<string | null> {
  const row = await db.qrCode.findFirst({
    where: { accountId, externalId, status: { not: 'DELETED' } },
    select: { id: true },
  });
  return row?.id ?? null;
}

export async function lockQrCodeRow(tx: Tx, accountId: string, id: string): Promise<void> {
  await executeSql(tx)`SELECT FROM qr_codes WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`;
}

/** Lock codes in the order of their ids, before an update of the first locks the owner's counts. */
export async function lockQrCodesForUpdate(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await executeSql(tx)`
    SELECT FROM qr_codes WHERE account_id = ${accountId} AND id = ANY (${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`;
}

export async function findQrCode(db: Db, id: string): Promise<QrCodeRow | null> {
  const account = { status: { not: 'DELETED' } };
  return db.qrCode.findFirst({ where: { id, status: { not: 'DELETED' }, account } });
}

export interface LockedQrCode {
  id: string;
  accountId: string;
  title: string;
  takenDownAt: Date | null;
  /** False once a deleted code was purged. */
  hasContent: boolean;
}

/** Lock a code of any status and owner for a decision of administrators. Null when its owner was erased. */
export async function lockQrCodeForModeration(tx: Tx, id: string): Promise<LockedQrCode | null> {
  const [row] = await querySql<LockedQrCode>(tx)`
    SELECT code.id, account_id AS "accountId", title, taken_down_at AS "takenDownAt", data IS NOT NULL AS "hasContent"
    FROM qr_codes AS code JOIN accounts AS account ON account.id = code.account_id AND account.status <> 'DELETED'
    WHERE code.id = ${id} FOR NO KEY UPDATE OF code`;
  return row ?? null;
}

/** Withhold a code from finders, or end it with null. The version changes, so that caches and tickets end. */
export async function updateQrCodeTakenDownAt(
  tx: Tx,
  { id, accountId }: Pick<LockedQrCode, 'id' | 'accountId'>,
  takenDownAt: Date | null,
): Promise<void> {
  await tx.qrCode.update({
    where: { id, accountId },
    data: { takenDownAt, version: { increment: 1 }, updatedAt: new Date() },
    select: { id: true },
  });
}

export async function isQrCodeTakenDown(db: Db, accountId: string, id: string): Promise<boolean> {
  return (await db.qrCode.count({ where: { id, accountId, takenDownAt: { not: null } } })) > 0;
}

/** Status that finders see of a code that is taken down or whose owner is suspended; never stored. */
export const WITHHELD_STATUS = 'WITHHELD';

/** The status that finders see, as an expression over a row of `qr_codes`; DELETED with its owner. */
export const PUBLIC_QR_CODE_STATUS_SQL = `
  (SELECT CASE WHEN qr_codes.status = 'DELETED' OR account.status = 'DELETED' THEN 'DELETED'
               WHEN qr_codes.taken_down_at IS NOT NULL OR account.status = 'SUSPENDED' THEN '${WITHHELD_STATUS}'
               ELSE qr_codes.status END
   FROM accounts AS account WHERE account.id = qr_codes.account_id)`;

export type QrCodeWithPictures = QrCodeRow & { pictures: PictureSummary[] };

/** Columns of pictures that pages and scan answers need. */
export const QR_CODE_PICTURES_QUERY = {
  select: { id: true, caption: true, position: true, width: true, height: true },
  orderBy: { position: 'asc' },
} as const;

/** `QR_CODE_PICTURES_QUERY` as an expression over a row of `qr_codes`. */
export const QR_CODE_PICTURES_SQL = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object(${Object.keys(QR_CODE_PICTURES_QUERY.select)
    .map((column) => `'${column}', ${column}`)
    .join(', ')}) ORDER BY position), '[]')
   FROM pictures WHERE pictures.qr_code_id = qr_codes.id)`;

/** Find a code as finders may see it, with the status WITHHELD if they may not. */
export async function findPublicQrCode(db: Db, id: string): Promise<QrCodeWithPictures | null> {
  const status = await findPublicQrCodeStatus(db, id);
  if (status === 'DELETED') return null;
  const row = await db.qrCode.findUnique({ where: { id }, include: { pictures: QR_CODE_PICTURES_QUERY } });
  return row && { ...row, status };
}

/** Find a code as it is stored, with the status that finders see, for a decision of administrators. */
export async function findQrCodeForModeration(
  db: Db,
  id: string,
): Promise<(QrCodeWithPictures & { publicStatus: string }) | null> {
  const row = await db.qrCode.findUnique({ where: { id }, include: { pictures: QR_CODE_PICTURES_QUERY } });
  return row && { ...row, publicStatus: await findPublicQrCodeStatus(db, id) };
}

/** Find titles and kinds by id, of codes of any status. */
export async function findQrCodeTitles(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { title: string; kind: string }>> {
  const rows = await db.qrCode.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, title: true, kind: true },
  });
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** DELETED where there is no such code. */
export async function findPublicQrCodeStatus(db: Db, id: string): Promise<string> {
  const [row] = await querySql<{ status: string | null }>(db)`
    SELECT ${Prisma.raw(PUBLIC_QR_CODE_STATUS_SQL)} AS status FROM qr_codes WHERE id = ${id}`;
  return row?.status ?? 'DELETED';
}

export async function findQrCodeRelations(
  db: Db,
  { id: qrCodeId, accountId, folderId }: Pick<QrCodeRow, 'id' | 'accountId' | 'folderId'>,
): Promise<Pick<QrCodeWithScanCounts, keyof typeof QR_CODE_RELATIONS>> {
  const where = { qrCodeId };
  return {
    counts: await db.scanCount.findUnique({ where }),
    shortNumber: await db.shortNumber.findUnique({ where }),
    folder: await findFolderOfCode(db, accountId, folderId),
  };
}

/** Find the folder of a code, also a deleted one. */
async function findFolderOfCode(db: Db, accountId: string, folderId: string | null): Promise<Folder | null> {
  if (folderId === null) return null;
  return db.folder.findUnique({ where: { accountId_id: { accountId, id: folderId } } });
}

/** For a change of what belongs to a code that this transaction has locked. */
export async function incrementQrCodeVersion(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.qrCode.update({
    where: { id, accountId },
    data: { version: { increment: 1 }, updatedAt: new Date() },
    select: { id: true },
  });
}

/** Null when the code was changed or deleted meanwhile. Scan counts and number are those of `row`. */
export async function updateQrCode(
  tx: Tx,
  row: QrCodeWithScanCounts,
  change: QrCodeRowChange,
): Promise<QrCodeWithScanCounts | null> {
  const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const [updatedRow] = await tx.qrCode.updateManyAndReturn({
    where: { id: row.id, accountId: row.accountId, version: row.version, status: { not: 'DELETED' } },
    data: { ...changes, version: { increment: 1 }, updatedAt: new Date() },
  });
  if (!updatedRow) return null;
  const { accountId, counts, shortNumber } = row;
  const folder =
    change.folderId === undefined ? row.folder : await findFolderOfCode(tx, accountId, change.folderId);
  return { ...updatedRow, counts, shortNumber, folder };
}
