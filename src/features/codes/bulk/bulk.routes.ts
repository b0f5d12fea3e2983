import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { createDisconnectSignal } from '../../../platform/http/client-disconnect.ts';
import { isMergePatch } from '../../../platform/http/json-body.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  BulkEnvelope,
  BulkQrCodeChanges,
  BulkQrCodeResult,
  BulkQrCodes,
  BulkQrCodeTargets,
} from './bulk.schemas.ts';
import { deleteQrCodes } from './delete-qrcodes.use-case.ts';
import { checkBulkChange, parseBulkItem } from './parse-bulk-item.ts';
import { patchQrCodes } from './patch-qrcodes.ts';
import { putQrCodes } from './put-qrcodes.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

const MAX_JSON_VALUES = 50_000;

export const qrCodeBulkRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const compile: FastifySchemaCompiler<TSchema> = (part) => {
    if (!app.validatorCompiler) throw new Error('The validator is not registered.');
    return app.validatorCompiler(part);
  };
  // An invalid item is an error of this item only.
  const validatorCompiler: FastifySchemaCompiler<TSchema> = (part) =>
    compile(part.httpPart === 'body' ? { ...part, schema: BulkEnvelope } : part);
  const limits = { bodyLimit: MAX_BODY_BYTES, validatorCompiler };
  const config = {
    access: allowUsersWithProfile('qrcodes:own'),
    rateLimitClass: 'upload',
    maxJsonValues: MAX_JSON_VALUES,
  } as const;

  app.post(
    '/bulk',
    {
      ...limits,
      config: { ...config, audit: auditAs('QRCODE_UPDATED') },
      schema: {
        operationId: 'qrcodes.upsertBulk',
        tags: ['QR codes'],
        summary: 'Create or update up to 1,000 codes',
        description:
          'The result has one entry for each item, with the errors of its fields. An item that fails does not affect others. An item with `externalId` creates or updates as PUT /api/qrcodes/by-external-id/{externalId}, so that you can repeat the request; without one, send an Idempotency-Key. At most 50 items with a `pin`, and 100 designs that were not used before.',
        headers: IdempotencyKeyHeader,
        body: BulkQrCodes,
        response: { 200: schemaRef(BulkQrCodeResult), ...createProblemResponseSchemas(403, 409, 413, 503) },
      },
    },
    async (request, reply) => {
      const { id } = requireAccount(request);
      const { items } = request.body;
      const parse = (item: unknown) => parseBulkItem(services, item);
      const input = { items, parse, disconnect: createDisconnectSignal(reply) };
      const { body, isReplayed } = await putQrCodes(services, getRequestContext(request), id, input);
      if (isReplayed) reply.header('Idempotency-Replayed', 'true');
      return body;
    },
  );

  app.patch(
    '/bulk',
    {
      ...limits,
      config: { ...config, audit: auditAs('QRCODE_UPDATED'), storesResponse: true },
      schema: {
        operationId: 'qrcodes.patchBulk',
        tags: ['QR codes'],
        summary: 'Update, pause or resume up to 1,000 codes',
        description:
          'Each item has the `id` or `externalId` of a code and its changes, as PATCH /api/qrcodes/{id}. The result has one entry for each item. An item that fails does not affect others. Parallel requests with the same key may both be applied.',
        body: BulkQrCodeChanges,
        response: { 200: schemaRef(BulkQrCodeResult), ...createProblemResponseSchemas(403, 413, 503) },
      },
    },
    async (request, reply) => {
      const { id } = requireAccount(request);
      const { items } = request.body;
      const input = {
        items,
        check: checkBulkChange,
        isMergePatch: isMergePatch(request),
        disconnect: createDisconnectSignal(reply),
      };
      return patchQrCodes(services, getRequestContext(request), id, input);
    },
  );

  app.post(
    '/bulk/delete',
    {
      config: { ...config, access: allowUsers('qrcodes:own'), audit: auditAs('QRCODE_DELETED') },
      schema: {
        operationId: 'qrcodes.deleteBulk',
        tags: ['QR codes'],
        summary: `Delete up to 1,000 codes; they can be restored for ${formatLifetime('deletedQrCode')}`,
        description:
          'As DELETE /api/qrcodes/{id}, for all in one transaction. The result has one entry for each item; one that is not found does not affect others. An item with neither `id` nor `externalId` is 400 for the request.',
        headers: IdempotencyKeyHeader,
        body: BulkQrCodeTargets,
        response: { 200: schemaRef(BulkQrCodeResult), ...createProblemResponseSchemas(413, 503) },
      },
    },
    async (request, reply) => {
      const { id } = requireAccount(request);
      const context = getRequestContext(request);
      const { body, isReplayed } = await deleteQrCodes(services, context, id, request.body.items);
      if (isReplayed) reply.header('Idempotency-Replayed', 'true');
      return body;
    },
  );
};
