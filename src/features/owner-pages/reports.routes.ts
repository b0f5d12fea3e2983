import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { createBodyValidator } from '../../platform/http/validation.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowByCookie, allowReaders, allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema } from '../../shared/common.schemas.ts';
import { formatDateInTimeZone } from '../../shared/day-start.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { isId } from '../../shared/ids.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import {
  findReportSchedule,
  findStatisticsPeriodErrors,
  getNextReportTime,
  REPORT_FREQUENCIES,
  ReportScheduleInput,
  scheduleReport,
  sendScanExport,
  unscheduleReport,
} from '../scans/index.ts';
import { type FormErrors, renderErrorSummary, renderNote } from './components.ts';
import { getFormToken } from './form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from './layout.ts';
import { getAccountPath, type OwnerPageServices } from './owner-page-services.ts';
import { renderReports } from './reports-page.ts';

const DAYS = [7, 30, 90] as const;

const AccountParams = createIdParamsSchema('accountId');

const OptionalText = Type.Optional(Type.String());

const ReportQuery = Type.Object({
  days: OptionalText,
  from: OptionalText,
  until: OptionalText,
  format: OptionalText,
});

type ReportsRequest = FastifyRequest<{ Params: { accountId: string } }>;

const findScheduleErrors = createBodyValidator(ReportScheduleInput);

const PAGE_CONFIG = {
  access: allowByCookie(allowUsers('scans:own')),
  audit: skipAudit('SCAN'),
  rateLimitClass: 'page',
} as const;

/** Of each member. */
const SCHEDULE_ACCESS = allowReaders(PAGE_CONFIG.access);

/** Reports on the scans of an account, where the mail of a scheduled report leads to after a sign-in. */
export const reportPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/reports',
    {
      config: PAGE_CONFIG,
      schema: { hide: true, querystring: Type.Object({ account: OptionalText }) },
    },
    async (request, reply) => {
      const { account } = request.query;
      const accountId = isId(account) ? account : requireAuthenticatedUser(request).id;
      return reply.redirect(`${getAccountPath(services, accountId)}/reports`, 303);
    },
  );

  app.get(
    '/:accountId/reports',
    {
      config: PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => sendReportsPage(request, reply),
  );

  app.post(
    '/:accountId/reports/schedule',
    {
      config: { access: SCHEDULE_ACCESS, audit: auditAs('REPORT_SCHEDULED') },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({ frequency: Type.Optional(Type.String()), hour: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { id: userId, timeZone } = requireAuthenticatedUser(request);
      const { body, params } = request;
      const hour = Number(body.hour ?? Number.NaN);
      const frequency = REPORT_FREQUENCIES.find((one) => one === body.frequency);
      const errors = [
        ...findScheduleErrors({ frequency: body.frequency, hour }),
        ...(Number.isNaN(hour) ? [{ field: 'hour', code: 'REQUIRED', message: '' }] : []),
      ];
      if (frequency === undefined || errors.length > 0) return sendReportsPage(request, reply, errors);
      const nextSendAt = getNextReportTime({ frequency, hour }, timeZone, new Date());
      const schedule = { ...params, userId, frequency, hour, qrCodeId: null, nextSendAt };
      await scheduleReport(database, getRequestContext(request), schedule);
      return redirectToReports(request, reply);
    },
  );

  app.post(
    '/:accountId/reports/schedule/end',
    {
      config: { access: SCHEDULE_ACCESS, audit: auditAs('REPORT_UNSCHEDULED') },
      schema: { hide: true, params: AccountParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      // Ended in another tab, it is ended.
      const { accountId } = request.params;
      const key = { accountId, userId: requireAuthenticatedUser(request).id };
      if (await findReportSchedule(database.forAccount(accountId).client, key))
        await unscheduleReport(database, getRequestContext(request), key);
      return redirectToReports(request, reply);
    },
  );

  app.get(
    '/:accountId/reports/scans',
    { config: PAGE_CONFIG, schema: { hide: true, params: AccountParams, querystring: ReportQuery } },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const { timeZone, language } = requireAuthenticatedUser(request);
      const { errors, from, to } = parsePeriod(request.query, timeZone);
      if (errors.length > 0) return sendReportsPage(request, reply, errors);
      return services.scanReports.send(reply, {
        accountId,
        language,
        format: request.query.format === 'pdf' ? 'pdf' : 'html',
        options: { timeZone, from, to },
      });
    },
  );

  app.get(
    '/:accountId/reports/scans.csv',
    {
      config: { ...PAGE_CONFIG, audit: auditAs('SCANS_EXPORTED') },
      schema: { hide: true, params: AccountParams, querystring: ReportQuery },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const { errors, from, to } = parsePeriod(request.query, timeZone);
      if (errors.length > 0) return sendReportsPage(request, reply, errors);
      const filter = { from: parseTimeRangeBound(from, timeZone), to: parseTimeRangeBound(to, timeZone) };
      // Excel reads other languages only with a byte order mark.
      return sendScanExport(services, request, reply, filter, { format: 'csv', bom: true });
    },
  );

  function redirectToReports({ params }: ReportsRequest, reply: FastifyReply): FastifyReply {
    return reply.redirect(`${getAccountPath(services, params.accountId)}/reports?done=saved`, 303);
  }

  async function sendReportsPage(
    request: ReportsRequest,
    reply: FastifyReply,
    errors: FormErrors = [],
  ): Promise<FastifyReply> {
    const { accountId } = request.params;
    const locale = chooseOwnerPageLocale(request);
    const path = `${getAccountPath(services, accountId)}/reports`;
    const isSaved = Reflect.get(Object(request.query), 'done') === 'saved';
    const note = renderErrorSummary(errors, locale);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.reports.title'),
      status: errors.length > 0 ? 400 : 200,
      body: html`${note ?? (isSaved && renderNote(t(locale, 'app.content.done.saved')))}<p>${t(locale, 'app.reports.text')}</p>
${renderReports({
  locale,
  path,
  token: getFormToken(services, request, reply),
  timeZone: requireAuthenticatedUser(request).timeZone,
  days: DAYS,
  schedule: await findReportSchedule(database.forAccount(accountId).client, {
    accountId,
    userId: requireAuthenticatedUser(request).id,
  }),
  values: Object(request.query),
  errors,
})}`,
    });
  }
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A period of whole days, by its first and its last; without them the last days up to today. */
function parsePeriod({ days: wanted, from: first, until }: Static<typeof ReportQuery>, timeZone: string) {
  const days = DAYS.find((count) => String(count) === wanted) ?? 30;
  const from = first && until ? first : addDays(formatDateInTimeZone(new Date(), timeZone), 1 - days);
  const to = first && until ? addDays(until, 1) : undefined;
  const errors = [from, to].some((day) => day !== undefined && !DATE.test(day))
    ? [{ field: 'from', code: 'BAD_DATE', message: '' }]
    : findStatisticsPeriodErrors({ timeZone, from, to, interval: 'month' }, timeZone);
  return {
    from,
    to,
    errors: errors.map((error) => ({ ...error, field: error.field === 'to' ? 'until' : 'from' })),
  };
}

/** What is no day stays as it is. */
function addDays(day: string, count: number): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : new Date(at + count * DAY_MS).toISOString().slice(0, 10);
}
