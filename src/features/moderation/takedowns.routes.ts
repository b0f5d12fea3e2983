import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { actIdempotently } from '../../platform/http/act-idempotently.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { formatDuration } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findOwnQrCode } from '../codes/index.ts';
import { AppealRequest, QrCodeTakedown } from './moderation.schemas.ts';
import type { ModerationServices } from './moderation-services.ts';
import { APPEALS_WINDOW_SECONDS, submitAppeal } from './submit-appeal.use-case.ts';
import { findLastOwnTakedown } from './takedown.repository.ts';
import { toTakedownView } from './takedown.view.ts';

/** Routes of owners whose code was taken down. */
export const takedownRoutes: FastifyPluginAsyncTypebox<ModerationServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:id/takedown',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('QRCODE') },
      schema: {
        operationId: 'qrcodes.getTakedown',
        tags: ['QR codes'],
        summary: 'Get the last takedown of your code, with its reason and your appeals',
        description: 'The last takedown, which may have ended; 404 if the code was never taken down.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(QrCodeTakedown) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const code = await findOwnQrCode(database.client, requireAccount(request).id, id);
      const takedown = code && (await findLastOwnTakedown(database.client, code.accountId, id));
      if (!takedown) throw new ServiceError('NOT_FOUND');
      return toTakedownView(fieldCipher, takedown);
    },
  );

  app.post(
    '/:id/appeals',
    {
      config: { access: allowUsersWithProfile('qrcodes:own'), audit: auditAs('QRCODE_APPEALED') },
      schema: {
        operationId: 'qrcodes.createAppeal',
        tags: ['QR codes'],
        summary: 'Appeal against the takedown of your code',
        description: `An administrator decides and may answer; you are notified. One appeal at a time, and three in ${formatDuration(APPEALS_WINDOW_SECONDS)}. Changes of the code stay possible meanwhile.`,
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: AppealRequest,
        response: { 201: schemaRef(QrCodeTakedown), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const owned = { accountId: requireAccount(request).id, id };
      const context = getRequestContext(request);
      reply.code(201);
      return actIdempotently(services, request, reply, { who: owned.accountId }, async (joined) => {
        const takedown = await submitAppeal(joined, context, owned, request.body.message);
        return { body: toTakedownView(fieldCipher, takedown), location: `/api/qrcodes/${id}/takedown` };
      });
    },
  );
};
