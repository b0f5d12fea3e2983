import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import { ExternalId } from '../../shared/metadata.schemas.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { putOwnQrCode } from './put-qrcode.ts';
import { findQrCodeIdByExternalId } from './qrcode.repository.ts';
import { toQrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { NewQrCode, QrCode } from './qrcodes.schemas.ts';
import { readOwnQrCode } from './read-own-qrcode.ts';
import { findNewQrCodeErrors } from './read-qrcode-body.ts';

const ExternalIdParams = Type.Object({ externalId: ExternalId });

type ByExternalIdRequest = FastifyRequest<{ Params: { externalId: string } }>;

function findExternalIdErrors(body: { externalId?: unknown }, { params }: ByExternalIdRequest): FieldError[] {
  const id = body.externalId ?? params.externalId;
  if (typeof id !== 'string' || id === params.externalId) return [];
  return [{ field: 'externalId', code: 'NOT_ALLOWED', message: 'Must be that of the path.' }];
}

export const qrCodeByExternalIdRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:externalId',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.getByExternalId',
        tags: ['QR codes'],
        summary: 'Get a code by your own id',
        description: 'Percent-encode the id. As GET /api/qrcodes/{id}; deleted codes are not found.',
        params: ExternalIdParams,
        response: { 200: schemaRef(QrCode) },
      },
    },
    async (request, reply) => {
      const code = await readOwnQrCode(
        database,
        getRequestContext(request),
        await getOwnedQrCodeId(request),
        async (row, tx) => toQrCodeView(services, row, await services.isReadOnly(tx, 'qrCodes', row)),
      );
      return reply.header('ETag', formatVersionEtag(code.version)).send(code);
    },
  );

  app.put(
    '/:externalId',
    {
      config: {
        access: allowUsersWithProfile('qrcodes:own'),
        audit: auditAs('QRCODE_UPDATED'),
        findBodyErrors: findExternalIdErrors,
        findUseCaseErrors: findNewQrCodeErrors,
      },
      schema: {
        operationId: 'qrcodes.upsertByExternalId',
        tags: ['QR codes'],
        summary: 'Create or update the code with your own id',
        description:
          'Idempotent: 201 for a new code, then 200. Percent-encode the id; one that is not allowed is 404. An update is that of PUT /api/qrcodes/{id}: omitted fields stay, and `kind` and `mode` are fixed. `visibilityPreset` is for new codes.',
        params: ExternalIdParams,
        body: NewQrCode,
        response: {
          200: schemaRef(QrCode),
          201: schemaRef(QrCode),
          ...createProblemResponseSchemas(403, 409, 412, 503),
        },
      },
    },
    async (request, reply) => {
      const { externalId } = request.params;
      const { code, isNew } = await putOwnQrCode(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request).id,
        { ...request.body, externalId },
        request.headers['if-match'],
      );
      reply.header('ETag', formatVersionEtag(code.version));
      if (isNew) reply.code(201).header('Location', `/api/qrcodes/${code.id}`);
      return code;
    },
  );

  /** @throws UNAUTHENTICATED, NOT_FOUND */
  async function getOwnedQrCodeId(request: ByExternalIdRequest): Promise<OwnedQrCodeId> {
    const accountId = requireAuthenticatedUser(request).id;
    const id = await findQrCodeIdByExternalId(database.client, accountId, request.params.externalId);
    if (id === null) throw new ServiceError('NOT_FOUND');
    return { accountId, id };
  }
};
