import { recordAuditEntry } from '../../../../platform/audit.ts';
import type { Database } from '../../../../platform/database.ts';
import type { RequestContext } from '../../../../platform/request-context.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { findOwnQrCode } from '../../../codes/index.ts';
import {
  deleteReportSchedule,
  type ReportScheduleKey,
  type ReportScheduleRow,
  upsertReportSchedule,
} from './report-schedule.repository.ts';

/** Replace the schedule of a user for an account, if there is one. @throws NOT_FOUND for the code of somebody else */
export function scheduleReport(
  database: Database,
  context: RequestContext,
  schedule: ReportScheduleRow,
): Promise<void> {
  const { accountId, qrCodeId, frequency } = schedule;
  return database.forAccount(accountId).transaction(async (tx) => {
    if (qrCodeId !== null && !(await findOwnQrCode(tx, accountId, qrCodeId)))
      throw new ServiceError('NOT_FOUND');
    await upsertReportSchedule(tx, schedule);
    await recordAuditEntry(tx, context, { resourceId: accountId, changes: [frequency] });
  });
}

/** @throws NOT_FOUND */
export function unscheduleReport(
  database: Database,
  context: RequestContext,
  key: ReportScheduleKey,
): Promise<void> {
  return database.forAccount(key.accountId).transaction(async (tx) => {
    if (!(await deleteReportSchedule(tx, key))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: key.accountId });
  });
}
