import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import { createDisconnectSignal } from '../../../platform/http/client-disconnect.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { allowUsers, skipAudit } from '../../../platform/route-access.ts';
import type { Brand } from '../../../shared/brand.ts';
import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import { findStatisticsPeriodErrors } from '../statistics/statistics-period.rules.ts';
import { readScanReportData } from './read-report.ts';
import { ScanReportQuery, type ScanReportQueryParams } from './report.schemas.ts';
import { createScanReportCspHeader } from './report-csp.ts';
import { createScanReportRenderer } from './report-renderer.ts';

const CONTENT_TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const;

const REPORT_RESPONSE = {
  description:
    'An HTML page without scripts and external resources, or a PDF of A4 pages. In PDF, unsupported characters become question marks.',
  content: Object.fromEntries(
    Object.values(CONTENT_TYPES).map((type) => [type.split(';')[0], { schema: { type: 'string' } }]),
  ),
};

/** Per process: one report is drawn while another is read. */
const CONCURRENCY = 2;

const MAX_WAITING_REPORTS = 8;

export const scanReportRoutes: FastifyPluginAsyncTypebox<{ database: Database; brand: Brand }> = async (
  app,
  { database, brand },
) => {
  const limiter = createConcurrencyLimiter(CONCURRENCY, {
    maxQueued: MAX_WAITING_REPORTS,
    retryAfterSeconds: 2,
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
        operationId: 'scans.report',
        tags: ['Scans'],
        summary: 'Retrieve a report on your codes or one of them, as HTML or PDF.',
        description:
          'Counts equal those of the statistics. Contains no exact positions. Uses the language of the profile; PDF falls back to English if its fonts cannot show the language.',
        querystring: ScanReportQuery,
        response: {
          200: REPORT_RESPONSE,
          ...createProblemResponseSchemas(404),
        },
      },
    },
    async (request, reply) => {
      const { id: ownerId, timeZone: own, language } = requireAuthenticatedUser(request);
      const { format, qrCodeId, from, to } = request.query;
      const timeZone = request.query.timeZone ?? own;
      const disconnect = createDisconnectSignal(reply);
      const render = async () => {
        disconnect.throwIfAborted();
        const facts = await readScanReportData(
          database,
          ownerId,
          { qrCodeId, from, to, timeZone },
          new Date(),
        );
        disconnect.throwIfAborted();
        return Buffer.from(await renderer.run({ facts, format, language, brand }));
      };
      let output: Buffer;
      try {
        output = await limiter(render);
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
    },
  );
};
