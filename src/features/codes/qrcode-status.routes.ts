import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowLimitedMembers, allowUsersWithProfile, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import {
  changeAndReadQrCodeStatus,
  endLostReport,
  resumeLostReport,
  startLostReport,
} from './change-status.use-case.ts';
import { getOwnedQrCodeId } from './owned-qrcode-id.ts';
import type { QrCodeRow, QrCodeRowChange } from './qrcode.repository.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { LostItemDetails, QrCode, TestLink } from './qrcodes.schemas.ts';
import { recordRepeatedMedicalAccess } from './read-own-qrcode.ts';
import { restoreOwnQrCode } from './restore-qrcode.use-case.ts';
import { createTestLink } from './test-link.use-case.ts';

export const qrCodeStatusRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { fieldCipher } = services;
  const storesResponse = {
    onReplay: (request: FastifyRequest, body: unknown) =>
      recordRepeatedMedicalAccess(services, getRequestContext(request), body as Static<typeof QrCode>),
  };

  app.post(
    '/:id/restore',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'CODE'),
        audit: auditAs('QRCODE_RESTORED'),
        storesResponse,
      },
      schema: {
        operationId: 'qrcodes.restore',
        tags: ['QR codes'],
        summary: `Restore a deleted code within ${formatLifetime('deletedQrCode')}`,
        description:
          'The image gets a new address. 404 if it is too late; 403 PLAN_LIMIT_REACHED if the package has no room for another code.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(QrCode), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request) =>
      restoreOwnQrCode(
        services,
        getRequestContext(request),
        getOwnedQrCodeId(request),
        request.headers['if-match'],
      ),
  );

  app.post(
    '/:id/lost',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'CODE'),
        audit: auditAs('QRCODE_REPORTED_LOST'),
        storesResponse,
      },
      schema: {
        operationId: 'qrcodes.reportLost',
        tags: ['QR codes'],
        summary: 'Report an item as lost',
        description:
          'The page of the code says so first, with the message, the reward and the last place that you send. Sending them again replaces them.',
        params: createIdParamsSchema('id'),
        body: LostItemDetails,
        response: { 200: schemaRef(QrCode), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request) => changeStatus(request, (row) => startLostReport(row, fieldCipher, request.body)),
  );

  app.post(
    '/:id/found',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'CODE'),
        audit: auditAs('QRCODE_REPORTED_FOUND'),
        storesResponse,
      },
      schema: {
        operationId: 'qrcodes.reportFound',
        tags: ['QR codes'],
        summary: 'Report a lost item as found; restores the previous status',
        description:
          'Message and reward leave the page. A code that was paused before is paused again. A code that is not lost stays as it is.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(QrCode), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request) => changeStatus(request, (row) => endLostReport(row, fieldCipher)),
  );

  app.delete(
    '/:id/found',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'CODE'),
        audit: auditAs('QRCODE_REPORTED_LOST'),
      },
      schema: {
        operationId: 'qrcodes.undoFound',
        tags: ['QR codes'],
        summary: 'Undo that an item was reported as found; restores the lost notice',
        description: `With its message, reward and last place, within ${formatLifetime('foundItemReport')}. A code without a report to restore stays as it is.`,
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(QrCode), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request) => changeStatus(request, (row) => resumeLostReport(row, fieldCipher)),
  );

  app.post(
    '/:id/test',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'CODE'),
        audit: auditAs('QRCODE_TEST_LINK_CREATED'),
      },
      schema: {
        operationId: 'qrcodes.createTestLink',
        tags: ['QR codes'],
        summary: 'Create a test link that marks your phone as yours',
        description: `Open the link once on your own phone, within ${formatLifetime('testLink')}, and press its button. Scans by that phone then count as yours (class OWNER). The link is returned only once.`,
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        response: { 201: schemaRef(TestLink), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const created = await createTestLink(services, getRequestContext(request), getOwnedQrCodeId(request));
      return prepareCreatedReply(reply, created);
    },
  );

  async function changeStatus(
    request: FastifyRequest<{ Params: { id: string } }>,
    change: (row: QrCodeRow) => QrCodeRowChange | null,
  ) {
    return changeAndReadQrCodeStatus(
      services,
      getRequestContext(request),
      getOwnedQrCodeId(request),
      change,
      request.headers['if-match'],
    );
  }
};
