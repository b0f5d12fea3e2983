import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';
import type { QrCodeRow } from './qrcode.repository.ts';

export async function findQrCodeByImage(db: Db, imageFile: string): Promise<QrCodeRow | null> {
  const account = { status: { not: 'DELETED' } };
  return db.qrCode.findFirst({ where: { imageFile, status: { not: 'DELETED' }, account } });
}

/** Both look-ups use unique keys: image requests are frequent. */
export async function isQrCodeImageWithheld(
  db: Db,
  imageFile: string,
  accountId: string | null,
): Promise<boolean> {
  const rows = await querySql<{ isWithheld: boolean }>(db)`
    SELECT EXISTS (SELECT FROM accounts WHERE id = ${accountId} AND status = 'SUSPENDED')
        OR EXISTS (SELECT FROM qr_codes WHERE image_file = ${imageFile} AND taken_down_at IS NOT NULL) AS "isWithheld"`;
  return rows[0]?.isWithheld === true;
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
  accountId: string,
  { firstId, lastId }: { firstId: string; lastId: string },
): Promise<string[]> {
  const rows = await db.qrCode.findMany({
    where: { accountId, id: { gte: firstId, lte: lastId }, imageFile: { not: null } },
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

export async function isQrCodeImageReferenced(
  db: Db,
  { accountId, imageFile }: { accountId: string; imageFile: string },
): Promise<boolean> {
  return (await db.qrCode.count({ where: { accountId, imageFile } })) > 0;
}

export async function updateQrCodeImage(
  db: Db,
  row: { id: string; accountId: string; imageFile: string | null },
  image: { imageFile: string; design: Record<string, unknown> },
): Promise<boolean> {
  const { count } = await db.qrCode.updateMany({
    where: { id: row.id, accountId: row.accountId, imageFile: row.imageFile },
    // Copies of the code need the other address.
    data: {
      imageFile: image.imageFile,
      design: image.design as Prisma.InputJsonObject,
      updatedAt: new Date(),
    },
  });
  return count === 1;
}
