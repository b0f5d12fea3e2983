import type { Db, Tx } from '../../../../platform/database.ts';
import { executeSql, querySql } from '../../../../platform/sql.ts';

export interface ReportScheduleRow {
  accountId: string;
  qrCodeId: string | null;
  frequency: string;
  hour: number;
  nextSendAt: Date;
}

export interface DueReport extends ReportScheduleRow {
  email: string;
  language: string;
  timeZone: string;
  /** YYYY-MM-DD; null where none was sent. */
  sentUntil: string | null;
  /** False while the account may not log in or the code is deleted. */
  isSendable: boolean;
}

const COLUMNS = { accountId: true, qrCodeId: true, frequency: true, hour: true, nextSendAt: true } as const;

export async function findReportSchedule(db: Db, accountId: string): Promise<ReportScheduleRow | null> {
  return db.reportSchedule.findUnique({ where: { accountId }, select: COLUMNS });
}

/** Keeps `sent_until` while a change leaves the subject of the reports, so that no period is sent twice. */
export async function upsertReportSchedule(tx: Tx, schedule: ReportScheduleRow): Promise<void> {
  const { accountId, qrCodeId, frequency, hour, nextSendAt } = schedule;
  await executeSql(tx)`
    INSERT INTO report_schedules AS stored (account_id, qr_code_id, frequency, hour, next_send_at)
    VALUES (${accountId}, ${qrCodeId}, ${frequency}, ${hour}, ${nextSendAt})
    ON CONFLICT (account_id) DO UPDATE SET
      qr_code_id = excluded.qr_code_id, frequency = excluded.frequency, hour = excluded.hour,
      next_send_at = excluded.next_send_at,
      sent_until = CASE WHEN stored.frequency = excluded.frequency
        AND stored.qr_code_id IS NOT DISTINCT FROM excluded.qr_code_id THEN stored.sent_until END`;
}

/** False where there is none. */
export async function deleteReportSchedule(tx: Tx, accountId: string): Promise<boolean> {
  return (await tx.reportSchedule.deleteMany({ where: { accountId } })).count === 1;
}

/** List the users whose report is due, by id after a cursor. */
export async function listUsersWithDueReport(
  db: Db,
  now: Date,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.reportSchedule.findMany({
    where: { nextSendAt: { lte: now }, accountId: { gt: afterId } },
    orderBy: { accountId: 'asc' },
    take: limit,
    select: { accountId: true },
  });
  return rows.map(({ accountId }) => accountId);
}

/** Null where it is not due any more. */
export async function findDueReport(db: Db, accountId: string, now: Date): Promise<DueReport | null> {
  const rows = await querySql<DueReport>(db)`
    SELECT report_schedules.account_id AS "accountId", qr_code_id AS "qrCodeId", frequency, hour, next_send_at AS "nextSendAt",
           sent_until::text AS "sentUntil", email, language, time_zone AS "timeZone",
           users.status IN ('VERIFIED', 'ACTIVE') AND code.status IS DISTINCT FROM 'DELETED' AS "isSendable"
    FROM report_schedules JOIN users ON users.id = report_schedules.account_id LEFT JOIN qr_codes AS code ON code.id = qr_code_id
    WHERE report_schedules.account_id = ${accountId} AND next_send_at <= ${now}`;
  return rows[0] ?? null;
}

/**
 * Move a due report to its next time. False where another process has, or where it was changed meanwhile.
 * @param sentUntil end of the period that is sent, YYYY-MM-DD
 */
export async function claimDueReport(
  tx: Tx,
  { accountId, nextSendAt, frequency, hour, qrCodeId }: ReportScheduleRow,
  next: Date,
  sentUntil: string | null,
): Promise<boolean> {
  const { count } = await tx.reportSchedule.updateMany({
    where: { accountId, nextSendAt, frequency, hour, qrCodeId },
    data: { nextSendAt: next, ...(sentUntil === null ? {} : { sentUntil: new Date(sentUntil) }) },
  });
  return count === 1;
}
