import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { type ListRange, type ListSort, toTimePosition } from '../../shared/list-cursor.ts';
import { findCurrentTakedown } from './takedown.repository.ts';

export interface QrCodeReportGroup {
  qrCodeId: string;
  accountId: string;
  kind: string;
  title: string;
  takenDownAt: Date | null;
  reports: number;
  count: number;
  byCategory: Record<string, number>;
  firstReportedAt: Date;
  lastReportedAt: Date;
}

export const LAST_REPORTED_FIRST: ListSort<QrCodeReportGroup> = {
  name: '-lastReportedAt',
  keyType: 'time',
  getPosition: ({ lastReportedAt, qrCodeId }) => ({ key: lastReportedAt.getTime(), id: qrCodeId }),
};

export type QrCodeReportRow = Awaited<ReturnType<typeof listReportsOfQrCode>>['rows'][number];

/** Insert a report; only count it if the network has an open one or the code has `maxOpen`. Lock the code first. */
export async function insertOrCountReport(
  tx: Tx,
  report: {
    id: string;
    qrCodeId: string;
    accountId: string;
    networkHash: Buffer<ArrayBuffer>;
    category: string;
    note: Buffer<ArrayBuffer> | null;
  },
  maxOpen: number,
): Promise<'STORED' | 'COUNTED'> {
  const { qrCodeId, networkHash } = report;
  const countedRows = await executeSql(tx)`
    UPDATE qr_code_reports SET count = count + 1
    WHERE qr_code_id = ${qrCodeId} AND network_hash = ${networkHash} AND decision IS NULL`;
  if (countedRows > 0) return 'COUNTED';
  if ((await tx.qrCodeReport.count({ where: { qrCodeId, decision: null } })) >= maxOpen) {
    await executeSql(tx)`
      UPDATE qr_code_reports SET count = count + 1 WHERE id = (
        SELECT id FROM qr_code_reports WHERE qr_code_id = ${qrCodeId} AND decision IS NULL
        ORDER BY created_at DESC, id DESC LIMIT 1)`;
    return 'COUNTED';
  }
  await tx.qrCodeReport.create({ data: report, select: { id: true } });
  return 'STORED';
}

/** List reported codes, the last reported first. */
export async function listReportGroups(
  db: Db,
  isDecided: boolean,
  { skip, take, after }: ListRange,
): Promise<{ rows: QrCodeReportGroup[]; total: number }> {
  const position = toTimePosition(after);
  const having = position
    ? sql`HAVING (max(last_reported_at), qr_code_id) < (${position.at}, ${position.id})`
    : Prisma.empty;
  const rows = await querySql<QrCodeReportGroup>(db)`
    SELECT code.id AS "qrCodeId", code.account_id AS "accountId", kind, title, taken_down_at AS "takenDownAt",
           reports, count, by_category AS "byCategory", first_reported_at AS "firstReportedAt", last_reported_at AS "lastReportedAt"
    FROM (
      SELECT qr_code_id, sum(reports)::int AS reports, sum(count)::int AS count, jsonb_object_agg(category, reports) AS by_category,
             min(first_reported_at) AS first_reported_at, max(last_reported_at) AS last_reported_at
      FROM (
        SELECT qr_code_id, category, count(*) AS reports, sum(count) AS count, min(created_at) AS first_reported_at,
               max(created_at) AS last_reported_at
        FROM qr_code_reports WHERE (decision IS NOT NULL) = ${isDecided} GROUP BY qr_code_id, category) AS by_category
      GROUP BY qr_code_id ${having} ORDER BY last_reported_at DESC, qr_code_id DESC LIMIT ${take} OFFSET ${skip}) AS reported
    JOIN qr_codes AS code ON code.id = qr_code_id
    ORDER BY last_reported_at DESC, qr_code_id DESC`;
  return { rows, total: await countReportedCodes(db, isDecided) };
}

/** Count the codes with reports that wait for a decision. */
export function countOpenReportedCodes(db: Db): Promise<number> {
  return countReportedCodes(db, false);
}

async function countReportedCodes(db: Db, isDecided: boolean): Promise<number> {
  // As the condition of the index of open reports.
  const condition = isDecided ? sql`decision IS NOT NULL` : sql`decision IS NULL`;
  const [counted] = await querySql<{ total: number }>(db)`
    SELECT count(DISTINCT qr_code_id)::int AS total FROM qr_code_reports WHERE ${condition}`;
  return counted?.total ?? 0;
}

export async function listReportsOfQrCode(db: Db, qrCodeId: string, { skip, take, after }: ListRange) {
  const where = { qrCodeId };
  const [rows, total] = await Promise.all([
    db.qrCodeReport.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      omit: { networkHash: true },
      skip,
      take,
    }),
    db.qrCodeReport.count({ where }),
  ]);
  return { rows, total };
}

export async function hasOpenReports(db: Db, qrCodeId: string): Promise<boolean> {
  return (await db.qrCodeReport.count({ where: { qrCodeId, decision: null } })) > 0;
}

/** Whether a code was reported or taken down, as far as that is still stored. */
export async function hasModerationCase(db: Db, qrCodeId: string): Promise<boolean> {
  const where = { qrCodeId };
  return (await db.qrCodeReport.count({ where })) > 0 || (await db.qrCodeTakedown.count({ where })) > 0;
}

/** Whether there is something to decide about a code: open reports, or a takedown that goes on. */
export async function hasOpenModerationCase(
  db: Db,
  code: { id: string; accountId: string },
): Promise<boolean> {
  return (await findCurrentTakedown(db, code)) !== null || (await hasOpenReports(db, code.id));
}

/** Decide the open reports of a code; returns their number. */
export async function decideReports(
  tx: Tx,
  qrCodeId: string,
  decision: 'DISMISSED' | 'TAKEN_DOWN',
): Promise<number> {
  const { count } = await tx.qrCodeReport.updateMany({
    where: { qrCodeId, decision: null },
    data: { decision, decidedAt: new Date() },
  });
  return count;
}

/** Delete reports that were decided or, if open, created before these times; returns the number deleted. */
export async function deleteOldReports(
  db: Db,
  before: { decided: Date; created: Date },
  limit: number,
): Promise<number> {
  return executeSql(db)`
    DELETE FROM qr_code_reports WHERE id IN (
      SELECT id FROM qr_code_reports
      WHERE created_at < ${before.decided} AND (decided_at < ${before.decided} OR (decided_at IS NULL AND created_at < ${before.created}))
      LIMIT ${limit})`;
}
