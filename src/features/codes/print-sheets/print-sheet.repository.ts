import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import type { ErasureRow } from '../../../platform/personal-data.ts';
import { querySql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import type { StoredLabelFailure } from './label-failure.rules.ts';
import type { LeftOut } from './print-sheets.schemas.ts';

export type PrintSheetRecord = NonNullable<Awaited<ReturnType<typeof findPrintSheet>>>;

/** With what a job needs. */
export type ClaimedPrintSheet = NonNullable<Awaited<ReturnType<typeof claimPrintSheet>>>;

/** The primary key of a print sheet. */
export interface PrintSheetKey {
  accountId: string;
  id: string;
}

type Attempt = PrintSheetKey & { attempts: number };

const WAITING = { status: 'WAITING' };

/** Up to 5,000 ids. */
const WITHOUT_CODES = { codeIds: true, options: true } as const;

/** Find a print sheet of an account; null if it is absent, expired or of another account. */
export async function findPrintSheet(db: Db, { accountId, id }: PrintSheetKey) {
  return db.printSheet.findFirst({ where: { accountId, id, ...whereNotExpired() }, omit: WITHOUT_CODES });
}

/** List a page of an account's print sheets that have not expired, newest first, with their total. */
export async function listPrintSheets(db: Db, accountId: string, { skip, take, after }: ListRange) {
  const where = { accountId, ...whereNotExpired() };
  const [rows, total] = await Promise.all([
    db.printSheet.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      omit: WITHOUT_CODES,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.printSheet.count({ where }),
  ]);
  return { rows, total };
}

/** Count the print sheets of an account that wait, and all that it keeps. */
export async function countPrintSheets(
  db: Db | Tx,
  accountId: string,
): Promise<{ waiting: number; stored: number }> {
  const [waiting, stored] = await Promise.all([
    db.printSheet.count({ where: { accountId, ...WAITING } }),
    db.printSheet.count({ where: { accountId, ...whereNotExpired() } }),
  ]);
  return { waiting, stored };
}

export async function insertPrintSheet(
  tx: Tx,
  row: PrintSheetKey & {
    template: string | null;
    options: object;
    codeIds: string[];
    codes: number;
    requestId: string;
    createdBy: string;
  },
): Promise<PrintSheetRecord> {
  const options = row.options as Prisma.InputJsonObject;
  return tx.printSheet.create({ data: { ...row, options }, omit: WITHOUT_CODES });
}

/** Count an attempt for a waiting print sheet; null if it does not wait. `fileId` is what an earlier attempt left. */
export async function claimPrintSheet(tx: Tx, { accountId, id }: PrintSheetKey) {
  await querySql(tx)`SELECT FROM print_sheets WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
  const waiting = await tx.printSheet.findFirst({
    where: { accountId, id, ...WAITING },
    include: { account: { select: { status: true } } },
  });
  if (!waiting) return null;
  const attempts = waiting.attempts + 1;
  const data = { attempts, fileId: null, processed: 0, labels: 0, pages: 0, decoded: 0 };
  await tx.printSheet.update({ where: { accountId_id: { accountId, id } }, data, select: { id: true } });
  return { ...waiting, attempts };
}

/** Record progress, or the file that an attempt begins to write; false if another attempt has begun or it is deleted. */
export async function updatePrintSheetAttempt(
  db: Db | Tx,
  { accountId, id, attempts }: Attempt,
  data: { processed: number; labels: number; pages: number } | { decoded: number } | { fileId: string },
): Promise<boolean> {
  const { count } = await db.printSheet.updateMany({
    where: { accountId, id, attempts, ...WAITING },
    data,
  });
  return count === 1;
}

/** Check whether an attempt is still the last one of a waiting print sheet. */
export async function isCurrentPrintSheetAttempt(
  db: Db,
  { accountId, id, attempts }: Attempt,
): Promise<boolean> {
  return (await db.printSheet.count({ where: { accountId, id, attempts, ...WAITING } })) === 1;
}

/** Mark a waiting print sheet as ready; false if it does not wait for this file. */
export async function markPrintSheetReady(
  tx: Tx,
  { accountId, id, fileId }: PrintSheetKey & { fileId: string },
  ready: {
    size: number;
    labels: number;
    pages: number;
    decoded: number;
    leftOut: readonly LeftOut[];
    expiresAt: Date;
  },
): Promise<boolean> {
  const { leftOut, ...data } = ready;
  const { count } = await tx.printSheet.updateMany({
    where: { accountId, id, fileId, ...WAITING },
    data: {
      ...data,
      leftOut: leftOut as unknown as Prisma.InputJsonArray,
      codeIds: [],
      status: 'READY',
      finishedAt: new Date(),
    },
  });
  return count === 1;
}

/** Mark a waiting print sheet as failed and return it as it was; null if it does not wait. */
export async function markPrintSheetFailed(
  tx: Tx,
  { accountId, id }: PrintSheetKey,
  { expiresAt, failure }: { expiresAt: Date; failure: StoredLabelFailure | null },
): Promise<Pick<PrintSheetRecord, 'fileId' | 'requestId' | 'createdBy'> | null> {
  const [waiting] = await querySql<Pick<PrintSheetRecord, 'fileId' | 'requestId' | 'createdBy'>>(tx)`
    SELECT file_id AS "fileId", request_id AS "requestId", created_by AS "createdBy" FROM print_sheets
    WHERE account_id = ${accountId} AND id = ${id} AND finished_at IS NULL FOR UPDATE`;
  if (!waiting) return null;
  await tx.printSheet.update({
    where: { accountId_id: { accountId, id } },
    data: {
      status: 'FAILED',
      fileId: null,
      codeIds: [],
      finishedAt: new Date(),
      expiresAt,
      ...(failure && { failure }),
    },
    select: { id: true },
  });
  return waiting;
}

/** Delete a print sheet; returns the id of its file, or undefined if it is absent. */
export async function deletePrintSheet(
  tx: Tx,
  { accountId, id }: PrintSheetKey,
): Promise<{ fileId: string | null } | undefined> {
  const [deleted] = await querySql<{ fileId: string | null }>(tx)`
    DELETE FROM print_sheets WHERE account_id = ${accountId} AND id = ${id} RETURNING file_id AS "fileId"`;
  return deleted;
}

export async function listExpiredPrintSheets(db: Db, take: number): Promise<PrintSheetKey[]> {
  return db.printSheet.findMany({
    where: { expiresAt: { lte: new Date() } },
    select: { accountId: true, id: true },
    take,
  });
}

/** List waiting print sheets by ascending id. */
export async function listWaitingPrintSheets(
  db: Db,
  afterId: string,
  take: number,
): Promise<PrintSheetKey[]> {
  return db.printSheet.findMany({
    where: { id: { gt: afterId }, finishedAt: null },
    select: { accountId: true, id: true },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Delete all print sheets of an erased account; their files are removed with all its private files. */
export async function erasePrintSheets(tx: Tx, { userId }: ErasureRow): Promise<true> {
  await tx.printSheet.deleteMany({ where: { accountId: userId } });
  return true;
}

/** Find codes of an account, deleted ones too. */
export async function findPrintedQrCodes(db: Db, accountId: string, ids: readonly string[]) {
  return db.qrCode.findMany({ where: { accountId, id: { in: [...ids] } }, include: { shortNumber: true } });
}

function whereNotExpired() {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}
