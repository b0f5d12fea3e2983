import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { createIdParamsSchema, DoneResponse, schemaRef } from '../../shared/common.schemas.ts';
import { reportQrCode } from './code-reports.use-case.ts';
import { QrCodeReportRequest } from './moderation.schemas.ts';
import type { ModerationServices } from './moderation-services.ts';

/** Route of strangers to report a code. */
export const codeReportRoutes: FastifyPluginAsyncTypebox<ModerationServices> = async (app, services) => {
  app.post(
    '/:id/reports',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('QRCODE_REPORTED') },
      schema: {
        operationId: 'qrcodes.createReport',
        tags: ['QR codes'],
        summary: 'Report a code to the administrators; no credential needed',
        description:
          'The owner does not learn of it. Repeats from the same network are counted as one report. At most ten reports an hour from a network.',
        params: createIdParamsSchema('id'),
        body: QrCodeReportRequest,
        response: { 202: schemaRef(DoneResponse), ...createProblemResponseSchemas(404, 410) },
      },
    },
    async (request, reply) => {
      const { category, note = null } = request.body;
      await reportQrCode(services, getRequestContext(request), request.params.id, { category, note });
      reply.code(202);
      return { done: true as const };
    },
  );
};
