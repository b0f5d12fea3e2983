import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../../platform/openapi-headers.ts';
import { sendInvalidLinkPage } from '../../../platform/pages/page-frame.ts';
import { allowUsers, PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { ROLES_BY_TOPIC } from '../../../shared/notification-topics.ts';
import { findUser, getLinkEpoch, listLinkMembers } from '../../identity/index.ts';
import { findStatisticsPeriodErrors } from '../statistics/statistics-period.rules.ts';
import { ScanReportQuery, type ScanReportQueryParams } from './report.schemas.ts';
import { reportToken } from './schedule/report-link.ts';
import { getReportPeriodBefore } from './schedule/report-schedule.rules.ts';
import { REPORT_CONTENT_TYPES, type ScanReportSender } from './send-report.ts';

const REPORT_RESPONSE = {
  description:
    'An HTML page without scripts and external resources, or a PDF of A4 pages. In PDF, unsupported characters become question marks.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: Object.fromEntries(
    Object.values(REPORT_CONTENT_TYPES).map((type) => [type.split(';')[0], { schema: { type: 'string' } }]),
  ),
};

export const scanReportRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
  isEnterpriseEnforced: boolean;
  scanReports: ScanReportSender;
}> = async (app, { database, fieldCipher, isEnterpriseEnforced, scanReports }) => {
  app.addHook('onClose', () => scanReports.close());

  app.get(
    '/report',
    {
      config: {
        access: allowUsers('scans:own'),
        audit: skipAudit('SCAN'),
        findQueryErrors: (query: Partial<ScanReportQueryParams>, request) =>
          findStatisticsPeriodErrors(
            { ...query, interval: 'month' },
            requireAuthenticatedUser(request).timeZone,
          ),
      },
      schema: {
        operationId: 'scans.getReport',
        tags: ['Scans'],
        summary: 'Get a report on your codes or one of them, as HTML or PDF',
        description:
          'Counts equal those of the statistics; those by weekday and hour are of the last 91 days. Contains no exact positions. Uses the language of the profile. A PDF shows characters that its fonts lack as empty boxes.',
        querystring: ScanReportQuery,
        response: {
          200: REPORT_RESPONSE,
          ...createProblemResponseSchemas(404),
        },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const { timeZone: own, language } = requireAuthenticatedUser(request);
      const { format, timeZone = own, ...period } = request.query;
      return scanReports.send(reply, { accountId, language, format, options: { ...period, timeZone } });
    },
  );

  app.get(
    '/report/:token',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SCAN'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: Type.Object({ token: Type.String() }),
        querystring: Type.Pick(ScanReportQuery, ['format']),
      },
    },
    async (request, reply) => {
      const { token } = request.params;
      const link = reportToken.parse(token);
      const members = link
        ? await listLinkMembers(database.client, { accountId: link.accountId }, isEnterpriseEnforced)
        : [];
      const member = members
        .filter(({ role }) => ROLES_BY_TOPIC.SCANS.includes(role))
        .find((one) => reportToken.verify(fieldCipher, token, { accessEpoch: getLinkEpoch(one) }));
      const user = member ? await findUser(database.client, member.userId) : null;
      if (!link || !user) return sendInvalidLinkPage(request, reply, 'report.linkEnded');
      const { from, to } = getReportPeriodBefore(link.frequency, link.to);
      const options = { qrCodeId: link.qrCodeId || undefined, from, to, timeZone: user.timeZone };
      const { format } = request.query;
      return scanReports.send(reply, {
        accountId: link.accountId,
        language: user.language,
        format,
        options,
      });
    },
  );
};
