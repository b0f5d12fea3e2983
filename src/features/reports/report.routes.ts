import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userOf } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { problems } from '../../platform/openapi.ts';
import { account, unaudited } from '../../platform/route-access.ts';
import { timeZoneOf } from '../statistics/statistics-period.rules.ts';
import { readReport } from './read-report.ts';
import { ReportQuery } from './report.schemas.ts';
import { contentOf } from './report-content.rules.ts';
import { createReportLine } from './report-line.ts';
import { REPORT_POLICY, reportPage } from './report-page.ts';
import { reportPdf } from './report-pdf.ts';

const TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const;

const ANSWER = {
  description:
    'The page, which needs no script and nothing from elsewhere; or one sheet of A4, in which a letter that its fonts do not have is a question mark.',
  content: Object.fromEntries(
    Object.values(TYPES).map((type) => [type.split(';')[0], { schema: { type: 'string' } }]),
  ),
};

/** Scans as a page to look at, to print and to pass on. */
export const reportRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (app, { database }) => {
  const inTurn = createReportLine();

  app.get(
    '/report',
    {
      config: { access: account('scans:own'), audit: unaudited('SCAN') },
      schema: {
        operationId: 'scans.report',
        tags: ['Scans'],
        summary:
          "The scans of the account's codes, or of one of them, as a page to look at and to print, or as PDF.",
        description: 'Numbers are those of the statistics. No exact position is in it.',
        querystring: ReportQuery,
        response: {
          200: ANSWER,
          ...problems(404),
        },
      },
    },
    async (request, reply) => {
      const { id: ownerId, timeZone: own } = userOf(request);
      const { format, qrCodeId, from, to } = request.query;
      const timeZone = timeZoneOf(request.query.timeZone, own);
      const made = await inTurn(async () => {
        const facts = await readReport(database, ownerId, { qrCodeId, from, to, timeZone }, new Date());
        const report = contentOf(facts);
        return format === 'pdf' ? reportPdf(report) : reportPage(report);
      });
      return reply
        .type(TYPES[format])
        .header('Content-Security-Policy', REPORT_POLICY)
        .header('Content-Disposition', `inline; filename="scans-report.${format}"`)
        .header('Cache-Control', 'no-store')
        .send(made);
    },
  );
};
