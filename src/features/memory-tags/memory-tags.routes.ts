import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { listDeletions } from '../../platform/deletion.repository.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { listChanges } from '../../platform/http/list-changes.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { defineUpdateRoutes } from '../../platform/http/update-routes.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createChangesPageSchema, UpdatedSince } from '../../shared/list-changes.schemas.ts';
import { parseReferenceFilter, REFERENCE_FILTERS } from '../../shared/metadata.schemas.ts';
import { createSortParam, PageQuery } from '../../shared/pagination.ts';
import { createTimeRangeFilters, parseTimeRangeFilters } from '../../shared/time-filters.ts';
import { markMemoryTagOpenedByCaretaker } from './caretaker.repository.ts';
import { listMemoryTags, MEMORY_TAG_LIST_SORTS, MEMORY_TAG_SORTS } from './memory-tag.repository.ts';
import { toMemoryTagListItemView, toMemoryTagView } from './memory-tag.view.ts';
import { findEditableMemoryTag } from './memory-tag-access.ts';
import type { MemoryTagServices } from './memory-tag-services.ts';
import { MemoryTag, MemoryTagChange, MemoryTagItem, NewMemoryTag } from './memory-tags.schemas.ts';
import {
  changeMemoryTag,
  createMemoryTag,
  findMemoryTagErrors,
  removeMemoryTag,
} from './save-memory-tag.use-case.ts';

const MemoryTagListQuery = Type.Object({
  ...PageQuery.properties,
  ...REFERENCE_FILTERS,
  ...createTimeRangeFilters('created', 'createdAt'),
  updatedSince: UpdatedSince,
  sort: createSortParam(MEMORY_TAG_SORTS),
});

const OWN_ACCESS = allowUsers('memory-tags:own');

export const memoryTagRoutes: FastifyPluginAsyncTypebox<MemoryTagServices> = async (app, services) => {
  const { database, isReadOnly } = services;

  app.get(
    '',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG'), cache: 'revalidate' },
      schema: {
        operationId: 'memoryTags.list',
        tags: ['Memory tags'],
        summary: 'List your memory tags, newest first',
        description: 'Only your own: those that you are a caretaker of are at GET /api/memory-tags/caring.',
        querystring: MemoryTagListQuery,
        response: { 200: createChangesPageSchema(MemoryTagItem) },
      },
    },
    async (request) => {
      const { sort: sortName = '-createdAt', updatedSince } = request.query;
      if (updatedSince !== undefined) return listMemoryTagChanges(request);
      const sort = MEMORY_TAG_LIST_SORTS[sortName];
      const page = parseListPage(request, sort);
      const { id: accountId } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const created = parseTimeRangeFilters(request.query, 'created', timeZone);
      const filter = { created, ...parseReferenceFilter(request.query) };
      const list = await database.read(({ client }) => listMemoryTags(client, accountId, filter, sort, page));
      return toListPage(page, list, toMemoryTagListItemView);
    },
  );

  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('memory-tags:own'),
        audit: auditAs('MEMORY_TAG_CREATED'),
        findBodyErrors: findMemoryTagErrors,
      },
      schema: {
        operationId: 'memoryTags.create',
        tags: ['Memory tags'],
        summary: 'Create a memory tag',
        description:
          '`qrCodeId` links it to a code of kind MEMORY_TAG, whose page then shows it. 403 PLAN_LIMIT_REACHED above the package.',
        headers: IdempotencyKeyHeader,
        body: NewMemoryTag,
        response: { 201: schemaRef(MemoryTag), ...createProblemResponseSchemas(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      return prepareCreatedReply(
        reply,
        await createMemoryTag(services, getRequestContext(request), accountId, request.body),
      );
    },
  );

  app.get(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG') },
      schema: {
        operationId: 'memoryTags.get',
        tags: ['Memory tags'],
        summary: 'Get a memory tag',
        description: 'For its owner and its caretakers; `role` says which you are.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(MemoryTag) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const access = await findEditableMemoryTag(database.client, accountId, request.params.id);
      if (!access) throw new ServiceError('NOT_FOUND');
      const { row, role } = access;
      if (role === 'CARETAKER') await markMemoryTagOpenedByCaretaker(database.client, row.id, accountId);
      const readOnly = await isReadOnly(database.client, 'memoryTags', row);
      return reply.header('ETag', formatVersionEtag(row.version)).send(toMemoryTagView(row, role, readOnly));
    },
  );

  defineUpdateRoutes(app, {
    url: '/:id',
    operationIds: { put: 'memoryTags.update', patch: 'memoryTags.patch' },
    config: {
      access: OWN_ACCESS,
      audit: auditAs('MEMORY_TAG_UPDATED'),
      findUseCaseErrors: findMemoryTagErrors,
    },
    schema: {
      tags: ['Memory tags'],
      summary: 'Update a memory tag',
      description:
        'A caretaker can change texts, dates and places; other fields are 403. The code of a memory tag cannot be changed while administrators withhold it: 409 CODE_TAKEN_DOWN. A memory tag above the limits of the package is read-only: 403 PLAN_LIMIT_REACHED.',
      params: createIdParamsSchema('id'),
      body: MemoryTagChange,
      response: { 200: schemaRef(MemoryTag), ...createProblemResponseSchemas(403, 409, 412) },
    },
    handler: async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const tag = await changeMemoryTag(
        services,
        getRequestContext(request),
        { id: request.params.id, userId: accountId },
        request.body,
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(tag.version)).send(tag);
    },
  });

  app.delete(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: auditAs('MEMORY_TAG_DELETED') },
      schema: {
        operationId: 'memoryTags.delete',
        tags: ['Memory tags'],
        summary: 'Delete a memory tag permanently. Its code is kept',
        description:
          'Its pictures, guest book and caretakers are deleted with it. Only the owner can do this: 403 for a caretaker.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const key = { id, userId: requireAccount(request).id };
      await removeMemoryTag(services, getRequestContext(request), key, request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );

  async function listMemoryTagChanges(
    request: FastifyRequest<{ Querystring: Static<typeof MemoryTagListQuery> }>,
  ) {
    const { id: accountId } = requireAccount(request);
    const sort = MEMORY_TAG_LIST_SORTS.updatedAt;
    const { client } = database;
    return listChanges(request, sort, async (updatedSince, page) => {
      const { rows } = await listMemoryTags(client, accountId, { updatedSince }, sort, page);
      const deletions = await listDeletions(
        client,
        { accountId, type: 'MEMORY_TAG', since: updatedSince },
        page,
      );
      return { rows, deletions, toItem: toMemoryTagListItemView };
    });
  }
};
