import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { mapDatabaseError } from '../../platform/http/database-errors.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext, type RequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import { ExternalId } from '../../shared/metadata.schemas.ts';
import { createQrCode } from './create-qrcode.use-case.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { findQrCodeIdByExternalId, findQrCodesByExternalIds } from './qrcode.repository.ts';
import { toQrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { NewQrCode, QrCode } from './qrcodes.schemas.ts';
import { readOwnQrCode } from './read-own-qrcode.ts';
import { findNewQrCodeErrors } from './read-qrcode-body.ts';
import { updateAndReadOwnQrCode } from './update-own-qrcode.use-case.ts';

/** The second attempt finds the code that another request created at the same time. */
const MAX_ATTEMPTS = 2;

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
        findUseCaseErrors: (body) => findNewQrCodeErrors(services, body),
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
        requireAccount(request).id,
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
    const accountId = requireAccount(request).id;
    const id = await findQrCodeIdByExternalId(database.client, accountId, request.params.externalId);
    if (id === null) throw new ServiceError('NOT_FOUND');
    return { accountId, id };
  }
};

/**
 * Create the code with the external id, or update it, which changes no field that is omitted.
 * @throws as `createQrCode` and `updateOwnQrCode`
 */
async function putOwnQrCode(
  services: QrCodeServices,
  context: RequestContext,
  accountId: string,
  body: Static<typeof NewQrCode> & { externalId: string },
  ifMatch: string | undefined,
): Promise<{ code: Static<typeof QrCode>; isNew: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findQrCodesByExternalIds(services.database.client, accountId, [body.externalId]);
    const before = found.get(body.externalId);
    if (before) {
      const { visibilityPreset: _onlyForNewCodes, ...change } = body;
      const code = await updateAndReadOwnQrCode(services, context, before, change, ifMatch);
      return { code, isNew: false };
    }
    if (ifMatch !== undefined) throw new ServiceError('PRECONDITION_FAILED');
    try {
      const created = await createQrCode(services, context, accountId, body);
      return { code: created.body, isNew: true };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isExternalIdConflict(error)) throw error;
    }
  }
}

/** Seen before the transaction, or by the unique key. */
function isExternalIdConflict(error: unknown): boolean {
  const isTaken = error instanceof ServiceError && error.code === 'EXTERNAL_ID_TAKEN';
  return isTaken || mapDatabaseError(error)?.code === 'CONFLICT';
}
