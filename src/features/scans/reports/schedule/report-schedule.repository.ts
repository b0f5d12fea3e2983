import type { Db, Tx } from '../../../../platform/database.ts';
import { executeSql, querySql } from '../../../../platform/sql.ts';
import { ROLES_BY_TOPIC } from '../../../../shared/notification-topics.ts';

/** The primary key of a schedule: who gets reports on an account. */
export interface ReportScheduleKey {
  accountId: string;
  userId: string;
}

export interface ReportScheduleRow extends ReportScheduleKey {
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
  /** False while the user may not log in or no longer acts for the account, and for a deleted code. */
  isSendable: boolean;
}

const COLUMNS = {
  accountId: true,
  userId: true,
  qrCodeId: true,
  frequency: true,
  hour: true,
  nextSendAt: true,
} as const;

export async function findReportSchedule(
  db: Db,
  { accountId, userId }: ReportScheduleKey,
): Promise<ReportScheduleRow | null> {
  return db.reportSchedule.findUnique({
    where: { accountId_userId: { accountId, userId } },
    select: COLUMNS,
  });
}

/** List the schedules of a user, one for each account. They are few. */
export async function listReportSchedules(db: Db, userId: string): Promise<ReportScheduleRow[]> {
  return db.reportSchedule.findMany({ where: { userId }, select: COLUMNS, orderBy: { accountId: 'asc' } });
}

/** Keeps `sent_until` while a change leaves the subject of the reports, so that no period is sent twice. */
export async function upsertReportSchedule(tx: Tx, schedule: ReportScheduleRow): Promise<void> {
  const { accountId, userId, qrCodeId, frequency, hour, nextSendAt } = schedule;
  await executeSql(tx)`
    INSERT INTO report_schedules AS stored (account_id, user_id, qr_code_id, frequency, hour, next_send_at)
    VALUES (${accountId}, ${userId}, ${qrCodeId}, ${frequency}, ${hour}, ${nextSendAt})
    ON CONFLICT (account_id, user_id) DO UPDATE SET
      qr_code_id = excluded.qr_code_id, frequency = excluded.frequency, hour = excluded.hour,
      next_send_at = excluded.next_send_at,
      sent_until = CASE WHEN stored.frequency = excluded.frequency
        AND stored.qr_code_id IS NOT DISTINCT FROM excluded.qr_code_id THEN stored.sent_until END`;
}

/** False where there is none. */
export async function deleteReportSchedule(
  tx: Tx,
  { accountId, userId }: ReportScheduleKey,
): Promise<boolean> {
  return (await tx.reportSchedule.deleteMany({ where: { accountId, userId } })).count === 1;
}

/** Delete the schedules of a user for all accounts. False where there is none. */
export async function deleteReportSchedulesOfUser(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.reportSchedule.deleteMany({ where: { userId } })).count > 0;
}

/** List the schedules whose report is due, in the order of their keys after a cursor. */
export async function listDueReportSchedules(
  db: Db,
  now: Date,
  after: ReportScheduleKey | null,
  limit: number,
): Promise<ReportScheduleKey[]> {
  return querySql<ReportScheduleKey>(db)`
    SELECT account_id AS "accountId", user_id AS "userId" FROM report_schedules
    WHERE next_send_at <= ${now} AND (account_id, user_id) > (${after?.accountId ?? ''}, ${after?.userId ?? ''})
    ORDER BY account_id, user_id LIMIT ${limit}`;
}

/** Null where it is not due any more. */
export async function findDueReport(
  db: Db,
  { accountId, userId }: ReportScheduleKey,
  now: Date,
): Promise<DueReport | null> {
  const rows = await querySql<DueReport>(db)`
    SELECT schedule.account_id AS "accountId", schedule.user_id AS "userId", qr_code_id AS "qrCodeId", frequency, hour,
           next_send_at AS "nextSendAt", sent_until::text AS "sentUntil", email, recipient.language,
           recipient.time_zone AS "timeZone",
           recipient.status IN ('VERIFIED', 'ACTIVE') AND account.status = 'ACTIVE'
             AND code.status IS DISTINCT FROM 'DELETED'
             AND EXISTS (SELECT FROM memberships AS membership
                         WHERE membership.account_id = schedule.account_id AND membership.user_id = schedule.user_id
                           AND NOT membership.limited_to_folders
                           AND membership.role = ANY(${[...ROLES_BY_TOPIC.SCANS]})) AS "isSendable"
    FROM report_schedules AS schedule
    JOIN accounts AS account ON account.id = schedule.account_id
    JOIN users AS recipient ON recipient.id = schedule.user_id
    LEFT JOIN qr_codes AS code ON code.id = qr_code_id
    WHERE schedule.account_id = ${accountId} AND schedule.user_id = ${userId} AND next_send_at <= ${now}`;
  return rows[0] ?? null;
}

/**
 * Move a due report to its next time. False where another process has, or where it was changed meanwhile.
 * @param sentUntil end of the period that is sent, YYYY-MM-DD
 */
export async function claimDueReport(
  tx: Tx,
  { accountId, userId, nextSendAt, frequency, hour, qrCodeId }: ReportScheduleRow,
  next: Date,
  sentUntil: string | null,
): Promise<boolean> {
  const { count } = await tx.reportSchedule.updateMany({
    where: { accountId, userId, nextSendAt, frequency, hour, qrCodeId },
    data: { nextSendAt: next, ...(sentUntil === null ? {} : { sentUntil: new Date(sentUntil) }) },
  });
  return count === 1;
}
