import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import type { Database } from '../../../../platform/database.ts';
import { createProblemResponseSchemas } from '../../../../platform/openapi.ts';
import { getRequestContext } from '../../../../platform/request-context.ts';
import { allowReaders, allowUsers, auditAs, skipAudit } from '../../../../platform/route-access.ts';
import { DoneResponse, schemaRef } from '../../../../shared/common.schemas.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { scheduleReport, unscheduleReport } from './change-schedule.use-case.ts';
import { findReportSchedule, type ReportScheduleRow } from './report-schedule.repository.ts';
import { getNextReportTime, REPORT_FREQUENCIES } from './report-schedule.rules.ts';
import { ReportSchedule, ReportScheduleInput } from './report-schedule.schemas.ts';

const OWN_ACCESS = allowReaders(allowUsers('scans:own'));
const TAGS = ['Scans'];

export const reportScheduleRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/report-schedule',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'scans.getReportSchedule',
        tags: TAGS,
        summary: 'Get the report schedule',
        description: '404 if no report is scheduled. `nextSendAt` is the next email.',
        response: { 200: schemaRef(ReportSchedule), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const { id: userId, timeZone } = requireAuthenticatedUser(request);
      const schedule = await findReportSchedule(database.forAccount(accountId).client, { accountId, userId });
      if (!schedule) throw new ServiceError('NOT_FOUND');
      return toView(schedule, timeZone);
    },
  );

  app.put(
    '/report-schedule',
    {
      config: { access: OWN_ACCESS, audit: auditAs('REPORT_SCHEDULED') },
      schema: {
        operationId: 'scans.updateReportSchedule',
        tags: TAGS,
        summary: 'Schedule a report by email, weekly or monthly',
        description:
          'Replaces the schedule, if there is one. The email has the numbers in words and a link to the report, which works for a week. In enterprise mode, and with a second factor, the report needs a login.',
        body: ReportScheduleInput,
        response: { 200: schemaRef(ReportSchedule), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const { id: userId, timeZone } = requireAuthenticatedUser(request);
      const { frequency, hour, qrCodeId = null } = request.body;
      const nextSendAt = getNextReportTime({ frequency, hour }, timeZone, new Date());
      const schedule = { accountId, userId, frequency, hour, qrCodeId, nextSendAt };
      await scheduleReport(database, getRequestContext(request), schedule);
      return toView(schedule, timeZone);
    },
  );

  app.delete(
    '/report-schedule',
    {
      config: { access: OWN_ACCESS, audit: auditAs('REPORT_UNSCHEDULED') },
      schema: {
        operationId: 'scans.deleteReportSchedule',
        tags: TAGS,
        summary: 'Delete the report schedule',
        description: '404 if no report is scheduled.',
        response: { 200: schemaRef(DoneResponse), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const { id: userId } = requireAuthenticatedUser(request);
      await unscheduleReport(database, getRequestContext(request), { accountId, userId });
      return { done: true as const };
    },
  );
};

function toView(
  { frequency, hour, qrCodeId, nextSendAt }: ReportScheduleRow,
  timeZone: string,
): Static<typeof ReportSchedule> {
  return {
    frequency: REPORT_FREQUENCIES.find((one) => one === frequency) ?? 'WEEKLY',
    hour,
    timeZone,
    qrCodeId,
    nextSendAt: nextSendAt.toISOString(),
  };
}
