import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { listDeletions } from '../../platform/deletion.repository.ts';
import { assertIfMatch, formatVersionEtag } from '../../platform/http/if-match.ts';
import { listChanges } from '../../platform/http/list-changes.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { defineUpdateRoutes } from '../../platform/http/update-routes.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { createChangesPageSchema, UpdatedSince } from '../../shared/list-changes.schemas.ts';
import { type Metadata, parseReferenceFilter, REFERENCE_FILTERS } from '../../shared/metadata.schemas.ts';
import { createSortParam, PageQuery } from '../../shared/pagination.ts';
import { findOwnQrCode, isQrCodeTakenDown } from '../codes/index.ts';
import { deletePictures, type EncryptedFileStore } from '../files/index.ts';
import { markMemoryTagOpenedByCaretaker } from './caretaker.repository.ts';
import {
  assertMemoryTagExternalIdFree,
  deleteMemoryTag,
  insertMemoryTag,
  listMemoryTags,
  MEMORY_TAG_LIST_SORTS,
  MEMORY_TAG_SORTS,
  type MemoryTagRow,
  updateMemoryTag,
} from './memory-tag.repository.ts';
import {
  canCaretakerChangeFields,
  changesContent,
  findMemoryTagDateErrors,
  findMemoryTagPlaceErrors,
  listChangedMemoryTagFields,
  type MemoryTagFields,
  omitOwnerOnlyFields,
  toMemoryTagFields,
} from './memory-tag.rules.ts';
import { hideReferences, toMemoryTagListItemView, toMemoryTagView } from './memory-tag.view.ts';
import {
  createMemoryTagOwnerOnlyError,
  findEditableMemoryTag,
  lockEditableMemoryTag,
  lockOwnMemoryTag,
} from './memory-tag-access.ts';
import { MemoryTag, MemoryTagChange, MemoryTagItem, NewMemoryTag } from './memory-tags.schemas.ts';

const MemoryTagListQuery = Type.Object({
  ...PageQuery.properties,
  ...REFERENCE_FILTERS,
  updatedSince: UpdatedSince,
  sort: createSortParam(MEMORY_TAG_SORTS),
});

const OWN_ACCESS = allowUsers('memory-tags:own');

export const memoryTagRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  createIdempotently: IdempotentHandler;
  /** Reserve quota in the transaction that adds a memory tag. */
  reserveQuota(tx: Tx, limit: 'memoryTags', ownerId: string): Promise<void>;
  isReadOnly(db: Db, limit: 'memoryTags', row: MemoryTagRow): Promise<boolean>;
  /** @throws PLAN_LIMIT_REACHED */
  rejectReadOnlyChange(db: Db, limit: 'memoryTags', ownerId: string): Promise<never>;
  files: Pick<EncryptedFileStore, 'remove'>;
}> = async (app, { database, createIdempotently, reserveQuota, isReadOnly, rejectReadOnlyChange, files }) => {
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
      const { id: ownerId } = requireAuthenticatedUser(request);
      const filter = parseReferenceFilter(request.query);
      const list = await database.read(({ client }) => listMemoryTags(client, ownerId, filter, sort, page));
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
      const { id: ownerId } = requireAuthenticatedUser(request);
      const fields = { ...toMemoryTagFields(request.body, {}), name: request.body.name.normalize('NFC') };
      assertValidFields(fields);
      const context = getRequestContext(request);
      const result = await createIdempotently(
        context,
        { who: ownerId, fingerprint: request.body },
        async (tx) => {
          await assertMemoryTagCode(tx, ownerId, fields.qrCodeId);
          await assertMemoryTagExternalIdFree(tx, { ownerId, externalId: fields.externalId });
          await reserveQuota(tx, 'memoryTags', ownerId);
          const row = await insertMemoryTag(tx, ownerId, fields);
          await recordAuditEntry(tx, context, { resourceId: row.id });
          return { body: toMemoryTagView(row, 'OWNER', false), location: `/api/memory-tags/${row.id}` };
        },
      );
      // Responses stored before packages existed lack `readOnly`.
      const readOnly = result.body.readOnly ?? false;
      return prepareCreatedReply(reply, { ...result, body: { ...result.body, readOnly } });
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
      const { id: userId } = requireAuthenticatedUser(request);
      const access = await findEditableMemoryTag(database.client, userId, request.params.id);
      if (!access) throw new ServiceError('NOT_FOUND');
      const { row, role } = access;
      if (role === 'CARETAKER') await markMemoryTagOpenedByCaretaker(database.client, row.id, userId);
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
      findBodyErrors: findMemoryTagErrors,
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
      const tag = await changeMemoryTag(request, request.params.id, request.body);
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
      await database.transaction(async (tx) => {
        const row = await lockOwnMemoryTag(tx, requireAuthenticatedUser(request).id, id);
        assertIfMatch(request.headers['if-match'], row.version);
        await files.remove(tx, await deletePictures(tx, { memoryTagId: id }));
        await deleteMemoryTag(tx, id);
        await recordAuditEntry(tx, getRequestContext(request), { resourceId: id });
      });
      return { id, deleted: true as const };
    },
  );

  async function listMemoryTagChanges(
    request: FastifyRequest<{ Querystring: Static<typeof MemoryTagListQuery> }>,
  ) {
    const { id: userId } = requireAuthenticatedUser(request);
    const sort = MEMORY_TAG_LIST_SORTS.updatedAt;
    const { client } = database;
    return listChanges(request, sort, async (updatedSince, page) => {
      const { rows } = await listMemoryTags(client, userId, { updatedSince }, sort, page);
      const deletions = await listDeletions(
        client,
        { userId, type: 'MEMORY_TAG', since: updatedSince },
        page,
      );
      return { rows, deletions, toItem: toMemoryTagListItemView };
    });
  }

  async function changeMemoryTag(request: FastifyRequest, id: string, body: Static<typeof MemoryTagChange>) {
    return database.transaction(async (tx) => {
      const { row, role } = await lockEditableMemoryTag(tx, requireAuthenticatedUser(request).id, id);
      assertIfMatch(request.headers['if-match'], row.version);
      const visibleRow = hideReferences(row, role);
      const fields = toMemoryTagFields(body, visibleRow.metadata as Metadata);
      assertValidFields({ ...row, metadata: {}, ...fields, places: fields.places ?? [] });
      const changes = listChangedMemoryTagFields(visibleRow, fields);
      if (role !== 'OWNER' && !canCaretakerChangeFields(changes)) throw createMemoryTagOwnerOnlyError();
      // A code that was deleted since may stay, because clients send back fields that they have not changed.
      if (changes.includes('qrCodeId')) {
        if (row.qrCodeId && (await isQrCodeTakenDown(tx, row.qrCodeId)))
          throw new ServiceError('CODE_TAKEN_DOWN');
        await assertMemoryTagCode(tx, row.ownerId, fields.qrCodeId);
      }
      if (changes.includes('externalId'))
        await assertMemoryTagExternalIdFree(tx, { ...row, externalId: fields.externalId });
      const readOnly = await isReadOnly(tx, 'memoryTags', row);
      if (readOnly && changesContent(changes)) await rejectReadOnlyChange(tx, 'memoryTags', row.ownerId);
      if (changes.length === 0) return toMemoryTagView(row, role, readOnly);
      const stored = role === 'OWNER' ? fields : omitOwnerOnlyFields(fields);
      const after = await updateMemoryTag(tx, id, stored);
      await recordAuditEntry(tx, getRequestContext(request), {
        resourceId: id,
        changes: Object.keys(fields),
      });
      return toMemoryTagView(after, role, readOnly);
    });
  }
};

function findMemoryTagErrors(fields: MemoryTagFields): FieldError[] {
  return [...findMemoryTagDateErrors(fields), ...findMemoryTagPlaceErrors(fields.places)];
}

function assertValidFields(fields: MemoryTagFields): void {
  const errors = findMemoryTagErrors(fields);
  if (errors.length > 0) throw createValidationError(...errors);
}

// 404 for a missing code as for another user's; 400 for a code whose page does not show memory tags.
async function assertMemoryTagCode(tx: Tx, ownerId: string, qrCodeId: string | null | undefined) {
  if (!qrCodeId) return;
  const code = await findOwnQrCode(tx, ownerId, qrCodeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  if (code.kind === 'MEMORY_TAG') return;
  throw createValidationError({
    field: 'qrCodeId',
    code: 'NOT_ALLOWED',
    message: 'Must be a code of kind MEMORY_TAG.',
  });
}
