import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER, LOCATION_HEADER } from '../../../platform/openapi-headers.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowUsers,
  allowUsersWithProfile,
  allowWriters,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createTableExportResponseSchema } from '../../../platform/table-export.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
  TABLE_EXPORT_PARAMETERS,
} from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { type BatchKey, listBatches } from './batch.repository.ts';
import { toBatchTagView, toBatchView } from './batch.view.ts';
import { findBatchErrors } from './batch-design.ts';
import { CREATE_TAGS_QUEUE, DELETE_BATCH_QUEUE } from './batch-queues.ts';
import {
  BatchImagesQuery,
  BatchSchema,
  BatchTagChange,
  type BatchTagChangeBody,
  BatchTagQuery,
  BatchTagSchema,
  NewBatch,
} from './batches.schemas.ts';
import { cancelBatch, changeBatchTags, deleteBatch, getOwnBatch } from './change-batch.use-case.ts';
import { MAX_ARCHIVE_IMAGES, sendBatchExport, sendBatchImages } from './export-batch.ts';
import { listOwnBatchTags, TAGS_BY_NUMBER } from './list-batch-tags.ts';
import { requestBatch } from './request-batch.use-case.ts';

const ACCEPTED_RESPONSE = {
  description: 'The batch, which waits for a job.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(BatchSchema) } },
};

const ARCHIVE_RESPONSE = {
  description: 'A ZIP archive with an image for each tag, named by number and short number.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
};

export const batchRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;
  const getKey = (request: FastifyRequest<{ Params: { id: string } }>): BatchKey => ({
    accountId: requireAccount(request).id,
    id: request.params.id,
  });

  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('qrcodes:own'),
        audit: auditAs('BATCH_REQUESTED'),
        rateLimitClass: 'upload',
        findBodyErrors: findBatchErrors,
      },
      schema: {
        operationId: 'batches.create',
        tags: ['Batches'],
        summary: 'Make up to 100,000 tags that get their owners later',
        description:
          'A job creates the tags; the address in `Location` shows its progress. They are codes of status UNCLAIMED, which count towards the package: 403 PLAN_LIMIT_REACHED before any is made if too few are left. Up to two at a time (409 TOO_MANY_BATCHES), and 500 that are stored (409 TOO_MANY_STORED_BATCHES).',
        headers: IdempotencyKeyHeader,
        body: NewBatch,
        response: { 202: ACCEPTED_RESPONSE, ...createProblemResponseSchemas(403, 409, 503) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const created = await requestBatch(services, getRequestContext(request), user, request.body);
      services.jobs.wake(CREATE_TAGS_QUEUE);
      const body = prepareReply(reply.code(202), created);
      return reply.send(body);
    },
  );

  app.get(
    '',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'batches.list',
        tags: ['Batches'],
        summary: 'List your batches of tags, newest first',
        description: 'With how many tags of each are printed, handed out, scanned and claimed.',
        querystring: PageQuery,
        response: { 200: createPageSchema(BatchSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listBatches(database.client, requireAccount(request).id, page);
      return toListPage(page, list, toBatchView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER') },
      schema: {
        operationId: 'batches.get',
        tags: ['Batches'],
        summary: 'Get a batch, its progress and what became of its tags',
        description: 'Poll it until `finishedAt` is set.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(BatchSchema) },
      },
    },
    async (request) => toBatchView(await getOwnBatch(database.client, getKey(request))),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('BATCH_CANCELED'), storesResponse: true },
      schema: {
        operationId: 'batches.cancel',
        tags: ['Batches'],
        summary: 'Stop creating the tags of a batch',
        description: 'Tags that it has created stay. 409 BATCH_FINISHED if it has ended.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(BatchSchema), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => toBatchView(await cancelBatch(services, getRequestContext(request), getKey(request))),
  );

  app.delete(
    '/:id',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('BATCH_DELETED'), storesResponse: true },
      schema: {
        operationId: 'batches.delete',
        tags: ['Batches'],
        summary: 'Delete a batch with its unclaimed tags',
        description:
          'A job deletes the codes of tags that nobody has claimed; they cannot be restored. Claimed tags belong to their owners and stay.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const key = getKey(request);
      await deleteBatch(services, getRequestContext(request), key);
      services.jobs.wake(DELETE_BATCH_QUEUE);
      return { id: key.id, deleted: true as const };
    },
  );

  app.get(
    '/:id/tags',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'batches.listTags',
        tags: ['Batches'],
        summary: 'List the tags of a batch by their numbers',
        description: 'What became of each. Claim codes are in the export only.',
        params: createIdParamsSchema('id'),
        querystring: BatchTagQuery,
        response: { 200: createPageSchema(BatchTagSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, TAGS_BY_NUMBER);
      const list = await listOwnBatchTags(database.client, getKey(request), request.query, page);
      return toListPage(page, list, toBatchTagView);
    },
  );

  app.get(
    '/:id/export',
    {
      // Claim codes are for those who hand the tags out.
      config: { access: allowWriters(allowUsers('qrcodes:own')), audit: auditAs('BATCH_EXPORTED') },
      schema: {
        operationId: 'batches.export',
        tags: ['Batches'],
        summary: 'Export the tags of a batch with their claim codes as JSON Lines or CSV',
        description:
          'Each has `number`, `title`, `shortNumber`, `claimCode`, `scanUrl` and `status`. A claimed tag has no claim code, and the title of before. For members who may edit; each export is audited.',
        params: createIdParamsSchema('id'),
        querystring: Type.Object(TABLE_EXPORT_PARAMETERS),
        response: { 200: createTableExportResponseSchema('The tags, by their numbers.') },
      },
    },
    async (request, reply) => sendBatchExport(services, request, reply, getKey(request), request.query),
  );

  app.get(
    '/:id/images',
    {
      config: {
        access: allowUsers('qrcodes:own'),
        audit: auditAs('BATCH_EXPORTED'),
        rateLimitClass: 'upload',
      },
      schema: {
        operationId: 'batches.getImages',
        tags: ['Batches'],
        summary: `Download the images of up to ${MAX_ARCHIVE_IMAGES.toLocaleString('en')} unclaimed tags as a ZIP archive`,
        description:
          'From one number to another; the short number stands below each symbol. One archive at a time. To print on sheets: POST /api/print-sheets with `batchId` in `filter`.',
        params: createIdParamsSchema('id'),
        querystring: BatchImagesQuery,
        response: { 200: ARCHIVE_RESPONSE },
      },
    },
    async (request, reply) => sendBatchImages(services, request, reply, getKey(request), request.query),
  );

  app.patch(
    '/:id/tags',
    {
      config: {
        access: allowUsers('qrcodes:own'),
        audit: auditAs('BATCH_TAGS_UPDATED'),
        storesResponse: true,
        findBodyErrors: findTagChangeErrors,
        // It may change 100,000 rows.
        rateLimitClass: 'upload',
      },
      schema: {
        operationId: 'batches.patchTags',
        tags: ['Batches'],
        summary: 'Mark tags as printed or handed out',
        description:
          'All, or those from one number to another; `printed`, `handedOut` or both. Print sheets mark their tags as printed, exports do not. `false` takes a mark back; claimed tags stay as they are.',
        params: createIdParamsSchema('id'),
        body: BatchTagChange,
        response: { 200: schemaRef(BatchSchema) },
      },
    },
    async (request) =>
      toBatchView(await changeBatchTags(services, getRequestContext(request), getKey(request), request.body)),
  );
};

function findTagChangeErrors({ printed, handedOut }: BatchTagChangeBody): FieldError[] {
  if (printed !== undefined || handedOut !== undefined) return [];
  const message = 'Send `printed`, `handedOut` or both.';
  return ['printed', 'handedOut'].map((field) => ({ field, code: 'REQUIRED', message }));
}
