import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';

export type TakedownRow = NonNullable<Awaited<ReturnType<typeof findLastTakedown>>>;

export type AppealRow = NonNullable<Awaited<ReturnType<typeof findAppeal>>>;

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

const MAX_APPEALS_SHOWN = 10;

export async function insertTakedown(
  tx: Tx,
  takedown: {
    id: string;
    qrCodeId: string;
    accountId: string;
    category: string;
    reason: Buffer<ArrayBuffer>;
    createdAt: Date;
  },
): Promise<void> {
  await tx.qrCodeTakedown.create({ data: takedown, select: { id: true } });
}

/** The last takedown of a code, current or ended, with its last appeals. */
const LAST_TAKEDOWN = {
  orderBy: NEWEST_FIRST,
  include: { appeals: { orderBy: NEWEST_FIRST, take: MAX_APPEALS_SHOWN } },
} as const;

/** Find the last takedown of a code of any account, for administrators. */
export async function findLastTakedown(db: Db, qrCodeId: string) {
  return db.qrCodeTakedown.findFirst({ where: { qrCodeId }, ...LAST_TAKEDOWN });
}

export async function findLastOwnTakedown(
  db: Db,
  accountId: string,
  qrCodeId: string,
): Promise<TakedownRow | null> {
  return db.qrCodeTakedown.findFirst({ where: { accountId, qrCodeId }, ...LAST_TAKEDOWN });
}

export async function findCurrentTakedown(
  db: Db,
  { id: qrCodeId, accountId }: { id: string; accountId: string },
) {
  return db.qrCodeTakedown.findFirst({ where: { accountId, qrCodeId, endedAt: null } });
}

export async function endTakedown(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await tx.qrCodeTakedown.update({
    where: { id, accountId },
    data: { endedAt: new Date() },
    select: { id: true },
  });
}

/** Insert an appeal; false if the takedown has an open one. */
export async function insertAppeal(
  tx: Tx,
  appeal: { id: string; takedownId: string; accountId: string; message: Buffer<ArrayBuffer> },
): Promise<boolean> {
  const { count } = await tx.qrCodeAppeal.createMany({ data: [appeal], skipDuplicates: true });
  return count === 1;
}

export async function findAppeal(db: Db, id: string) {
  return db.qrCodeAppeal.findUnique({ where: { id }, include: { takedown: true } });
}

export async function findOpenAppeal(
  db: Db,
  { id: takedownId, accountId }: { id: string; accountId: string },
) {
  return db.qrCodeAppeal.findFirst({ where: { accountId, takedownId, decision: null } });
}

export async function countOpenAppeals(db: Db): Promise<number> {
  return db.qrCodeAppeal.count({ where: { decision: null } });
}

export async function listAppeals(
  db: Db,
  isDecided: boolean | undefined,
  { skip, take, after }: ListRange,
): Promise<{ rows: AppealRow[]; total: number }> {
  const where = isDecided === undefined ? {} : { decision: isDecided ? { not: null } : null };
  const [rows, total] = await Promise.all([
    db.qrCodeAppeal.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: NEWEST_FIRST,
      include: { takedown: true },
      skip,
      take,
    }),
    db.qrCodeAppeal.count({ where }),
  ]);
  return { rows, total };
}

/** Save the decision of an open appeal; false if it is already decided. */
export async function saveAppealDecision(
  tx: Tx,
  id: string,
  decision: { decision: string; answer: Buffer<ArrayBuffer> | null },
): Promise<boolean> {
  const { count } = await tx.qrCodeAppeal.updateMany({
    where: { id, decision: null },
    data: { ...decision, decidedAt: new Date() },
  });
  return count === 1;
}

/**
 * Delete takedowns, with their appeals, that ended before a time, or whose purged code was deleted before it; returns
 * the number.
 */
export async function deleteOldTakedowns(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM qr_code_takedowns WHERE id IN (
      SELECT takedown.id FROM qr_code_takedowns AS takedown JOIN qr_codes AS code ON code.id = takedown.qr_code_id
      WHERE takedown.ended_at < ${before} OR (code.data IS NULL AND code.deleted_at < ${before})
      LIMIT ${limit})`;
}
