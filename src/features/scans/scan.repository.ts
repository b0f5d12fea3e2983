import type { Db, Tx } from '../../platform/database.ts';

/** A scan with what is needed of its code. */
export type ScanRow = NonNullable<Awaited<ReturnType<typeof findScan>>>;

/** A scan with its code; null when there is none. The code of an owner who was erased is deleted. */
export async function findScan(db: Db, id: string) {
  const row = await db.scan.findUnique({
    where: { id },
    include: {
      qrCode: {
        select: {
          id: true,
          ownerId: true,
          kind: true,
          title: true,
          status: true,
          expiresAt: true,
          data: true,
          visibility: true,
          pinHash: true,
          contactable: true,
          version: true,
          owner: { select: { status: true } },
        },
      },
    },
  });
  if (!row) return null;
  const { owner, ...qrCode } = row.qrCode;
  return { ...row, qrCode: owner.status === 'DELETED' ? { ...qrCode, status: 'DELETED' } : qrCode };
}

/** Notes that the right PIN was given for a scan. False when it was unlocked for this version of its code, or a newer one, already. */
export async function markScanUnlocked(
  tx: Tx,
  id: string,
  unlocked: { at: Date; version: number },
): Promise<boolean> {
  const { at, version } = unlocked;
  const { count } = await tx.scan.updateMany({
    where: { id, OR: [{ unlockedVersion: null }, { unlockedVersion: { lt: version } }] },
    data: { unlockedAt: at, unlockedVersion: version },
  });
  return count === 1;
}

/** Whether a code, in whatever status, is an owner's. */
export async function isOwnQrCode(db: Db, ownerId: string, qrCodeId: string): Promise<boolean> {
  return (await db.qrCode.count({ where: { id: qrCodeId, ownerId } })) === 1;
}
