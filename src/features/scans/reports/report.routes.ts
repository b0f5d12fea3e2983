import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { createDisconnectSignal } from '../../../platform/http/client-disconnect.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../../platform/openapi-headers.ts';
import { sendInvalidLinkPage } from '../../../platform/pages/page-frame.ts';
import { allowUsers, PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import type { Brand } from '../../../shared/brand.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
import { findLinkAccessEpoch, findUser } from '../../identity/index.ts';
import { findStatisticsPeriodErrors } from '../statistics/statistics-period.rules.ts';
import { readScanReportData } from './read-report.ts';
import { ScanReportQuery, type ScanReportQueryParams } from './report.schemas.ts';
import { createScanReportCspHeader } from './report-csp.ts';
import { createScanReportRenderer, type ScanReportRenderTask } from './report-renderer.ts';
import { reportToken } from './schedule/report-link.ts';
import { getReportPeriodBefore } from './schedule/report-schedule.rules.ts';

const CONTENT_TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const;

const REPORT_RESPONSE = {
  description:
    'An HTML page without scripts and external resources, or a PDF of A4 pages. In PDF, unsupported characters become question marks.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: Object.fromEntries(
    Object.values(CONTENT_TYPES).map((type) => [type.split(';')[0], { schema: { type: 'string' } }]),
  ),
};

/** Per process: one report is drawn while another is read. */
const CONCURRENCY = 2;

const MAX_WAITING_REPORTS = 8;

export const scanReportRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  brand: Brand;
  fieldCipher: FieldCipher;
  isEnterpriseEnforced: boolean;
}> = async (app, { database, brand, fieldCipher, isEnterpriseEnforced }) => {
  const limiter = createFairLimiter({
    concurrency: CONCURRENCY,
    maxQueued: MAX_WAITING_REPORTS,
    maxQueuedPerKey: MAX_WAITING_REPORTS,
  });
  const contentSecurityPolicy = createScanReportCspHeader(brand);
  const renderer = createScanReportRenderer();
  app.addHook('onClose', () => renderer.close());

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
      const { id: accountId, timeZone: own, language } = requireAuthenticatedUser(request);
      const { format, timeZone = own, ...period } = request.query;
      return sendReport(reply, { accountId, language, format, options: { ...period, timeZone } });
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
      const accessEpoch =
        link && (await findLinkAccessEpoch(database.client, link.accountId, isEnterpriseEnforced));
      const user =
        link && accessEpoch !== null && reportToken.verify(fieldCipher, token, { accessEpoch })
          ? await findUser(database.client, link.accountId)
          : null;
      if (!link || !user) return sendInvalidLinkPage(request, reply, 'report.linkEnded');
      const { from, to } = getReportPeriodBefore(link.frequency, link.to);
      const options = { qrCodeId: link.qrCodeId || undefined, from, to, timeZone: user.timeZone };
      const { format } = request.query;
      return sendReport(reply, { accountId: user.id, language: user.language, format, options });
    },
  );

  async function sendReport(
    reply: FastifyReply,
    {
      accountId,
      language,
      format,
      options,
    }: Pick<ScanReportRenderTask, 'language' | 'format'> & {
      accountId: string;
      options: Parameters<typeof readScanReportData>[2];
    },
  ): Promise<FastifyReply> {
    const disconnect = createDisconnectSignal(reply);
    const render = async () => {
      disconnect.throwIfAborted();
      const facts = await database.read((db) => readScanReportData(db, accountId, options, new Date()));
      disconnect.throwIfAborted();
      return Buffer.from(await renderer.run({ facts, format, language, brand }));
    };
    let output: Buffer;
    try {
      output = await limiter(accountId, render);
    } catch (error) {
      if (error !== disconnect.reason) throw error;
      // The client disconnected; there is no response and no error.
      return reply.hijack();
    }
    return reply
      .type(CONTENT_TYPES[format])
      .header('Content-Security-Policy', contentSecurityPolicy)
      .header('Content-Disposition', `inline; filename="scans-report.${format}"`)
      .header('Cache-Control', 'no-store')
      .send(output);
  }
};
