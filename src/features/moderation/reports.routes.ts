import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { actIdempotently } from '../../platform/http/act-idempotently.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DoneResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { getPublicIdempotencyOwner } from '../scans/index.ts';
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
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: QrCodeReportRequest,
        response: { 202: schemaRef(DoneResponse), ...createProblemResponseSchemas(404, 410) },
      },
    },
    async (request, reply) => {
      const { category, note = null } = request.body;
      const { id } = request.params;
      const context = getRequestContext(request);
      reply.code(202);
      const who = getPublicIdempotencyOwner(services.fieldCipher, context, id);
      return actIdempotently(services, request, reply, { who }, async (joined) => {
        await reportQrCode(joined, context, id, { category, note });
        return { body: { done: true as const } };
      });
    },
  );
};
