import type { Db, Tx } from '../../platform/database.ts';
import { findPublicQrCodeStatus, QR_CODE_PICTURES_QUERY } from '../codes/index.ts';

export type ScanWithQrCode = NonNullable<Awaited<ReturnType<typeof findScan>>>;

export async function findScan(db: Db, id: string) {
  const row = await db.scan.findUnique({
    where: { id },
    include: {
      qrCode: {
        select: {
          id: true,
          accountId: true,
          kind: true,
          title: true,
          expiresAt: true,
          data: true,
          lostDetails: true,
          visibility: true,
          pinHash: true,
          contactable: true,
          version: true,
          pictures: QR_CODE_PICTURES_QUERY,
        },
      },
    },
  });
  if (!row) return null;
  const status = await findPublicQrCodeStatus(db, row.qrCode.id);
  return { ...row, qrCode: { ...row.qrCode, status } };
}

/** False when the scan was unlocked for this version or a newer one. */
export async function markScanUnlocked(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  unlocked: { at: Date; version: number },
): Promise<boolean> {
  const { at, version } = unlocked;
  const { count } = await tx.scan.updateMany({
    where: { id, accountId, OR: [{ unlockedVersion: null }, { unlockedVersion: { lt: version } }] },
    data: { unlockedAt: at, unlockedVersion: version },
  });
  return count === 1;
}

export async function isOwnQrCode(db: Db, accountId: string, qrCodeId: string): Promise<boolean> {
  return (await db.qrCode.count({ where: { id: qrCodeId, accountId } })) === 1;
}
