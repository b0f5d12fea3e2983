import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { problemResponses } from '../../platform/openapi.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { createLimiter } from '../../shared/limiter.ts';
import { timeZoneOf } from '../statistics/statistics-period.rules.ts';
import { readReport } from './read-report.ts';
import { ReportQuery } from './report.schemas.ts';
import { createReportDrawing } from './report-drawing.ts';
import { REPORT_POLICY } from './report-policy.ts';

const TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const;

const ANSWER = {
  description:
    'The page, which needs no script and nothing from elsewhere; or one sheet of A4, in which a letter that its fonts do not have is a question mark.',
  content: Object.fromEntries(
    Object.values(TYPES).map((type) => [type.split(';')[0], { schema: { type: 'string' } }]),
  ),
};

/** Reports made at the same time, of one process: one is drawn while another is read. */
const AT_ONCE = 2;

/** Reports that may wait. */
const WAITING = 8;

/** Scans as a page to look at, to print and to pass on. */
export const reportRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (app, { database }) => {
  const inTurn = createLimiter(AT_ONCE, { waiting: WAITING, retryAfterSeconds: 2 });
  const drawing = createReportDrawing();
  app.addHook('onClose', () => drawing.close());

  app.get(
    '/report',
    {
      config: { access: allowUsers('scans:own'), audit: skipAudit('SCAN') },
      schema: {
        operationId: 'scans.report',
        tags: ['Scans'],
        summary:
          "The scans of the account's codes, or of one of them, as a page to look at and to print, or as PDF.",
        description:
          'Numbers are those of the statistics. No exact position is in it. It speaks the language of the profile, as PDF only where its fonts have the letters of it.',
        querystring: ReportQuery,
        response: {
          200: ANSWER,
          ...problemResponses(404),
        },
      },
    },
    async (request, reply) => {
      const { id: ownerId, timeZone: own, language } = requireUser(request);
      const { format, qrCodeId, from, to } = request.query;
      const timeZone = timeZoneOf(request.query.timeZone, own);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      // They may have left before.
      if (reply.raw.destroyed) gone.abort();
      const make = async () => {
        gone.signal.throwIfAborted();
        const facts = await readReport(database, ownerId, { qrCodeId, from, to, timeZone }, new Date());
        gone.signal.throwIfAborted();
        return Buffer.from(await drawing.run({ facts, format, language }));
      };
      let made: Buffer;
      try {
        made = await inTurn(make);
      } catch (error) {
        if (error !== gone.signal.reason) throw error;
        // Nobody is there to be answered, and nothing went wrong.
        return reply.hijack();
      }
      return reply
        .type(TYPES[format])
        .header('Content-Security-Policy', REPORT_POLICY)
        .header('Content-Disposition', `inline; filename="scans-report.${format}"`)
        .header('Cache-Control', 'no-store')
        .send(made);
    },
  );
};
