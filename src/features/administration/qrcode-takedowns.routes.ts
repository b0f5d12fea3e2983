import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { actIdempotently } from '../../platform/http/act-idempotently.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  findLastTakedown,
  type ModerationServices,
  QrCodeTakedown,
  reinstateQrCode,
  takeDownQrCode,
  toTakedownView,
} from '../moderation/index.ts';
import { ReinstatementRequest, TakedownRequest } from './qrcode-takedowns.schemas.ts';

const ACCESS = allowUsers('admin:moderation');

/** Routes of administrators to take single codes down. */
export const adminTakedownRoutes: FastifyPluginAsyncTypebox<ModerationServices> = async (app, services) => {
  const { database, fieldCipher, mailOutbox } = services;

  app.get(
    '/qrcodes/:id/takedown',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_TAKEDOWN_READ') },
      schema: {
        operationId: 'admin.getTakedown',
        tags: ['Administration'],
        summary: 'Get the last takedown of a code, with the appeals of its owner',
        description: '404 if the code was never taken down. `endedAt` is null while it lasts.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(QrCodeTakedown) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await commitAuditEntry(database, getRequestContext(request), { resourceId: id });
      const takedown = await findLastTakedown(database.client, id);
      if (!takedown) throw new ServiceError('NOT_FOUND');
      return toTakedownView(fieldCipher, takedown);
    },
  );

  app.post(
    '/qrcodes/:id/takedown',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_TAKEN_DOWN') },
      schema: {
        operationId: 'admin.takeDownCode',
        tags: ['Administration'],
        summary: 'Take a code down',
        description:
          'Page, redirect, image, scans and new messages of the code return 410 `CODE_UNAVAILABLE`, share links of the code 404. The owner is notified with the reason, keeps access to the code, and can appeal. No change by the owner ends it.',
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: TakedownRequest,
        response: { 201: schemaRef(QrCodeTakedown), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const context = getRequestContext(request);
      const { id: who } = requireAuthenticatedUser(request);
      const view = await actIdempotently(services, request, reply, { who }, async (joined) => {
        const takedown = await takeDownQrCode(joined, context, id, request.body);
        return {
          body: toTakedownView(fieldCipher, takedown),
          location: `/api/admin/qrcodes/${id}/takedown`,
          contentOf: takedown.accountId,
        };
      });
      mailOutbox.wake();
      reply.code(201);
      return view;
    },
  );

  app.post(
    '/qrcodes/:id/reinstate',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_REINSTATED'), storesResponse: true },
      schema: {
        operationId: 'admin.reinstateCode',
        tags: ['Administration'],
        summary: 'Reinstate a code that was taken down',
        description: 'Finders see the code again with its own status. An open appeal is decided by it.',
        params: createIdParamsSchema('id'),
        body: ReinstatementRequest,
        response: { 200: schemaRef(QrCodeTakedown), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const takedown = await reinstateQrCode(
        services,
        getRequestContext(request),
        params.id,
        body.answer ?? null,
      );
      mailOutbox.wake();
      return toTakedownView(fieldCipher, takedown);
    },
  );
};
