import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { parseListPage, selectListRange, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
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
import { ServiceError } from '../../shared/errors.ts';
import { NEWEST_FIRST, OLDEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { addCaretaker, type CaretakerServices } from './add-caretaker.ts';
import { type CaretakerRow, listCaretakers } from './caretaker.repository.ts';
import { CARETAKER_EMAIL } from './caretaker-email.ts';
import { CaredFor, Caretaker, NewCaretaker } from './caretakers.schemas.ts';
import { listOwnCaredForMemoryTags } from './list-cared-for.ts';
import { hideReferences, toMemoryTagListItemView } from './memory-tag.view.ts';
import { createMemoryTagOwnerOnlyError, findEditableMemoryTag } from './memory-tag-access.ts';
import { leaveMemoryTag, removeCaretaker } from './remove-caretaker.use-case.ts';

const OWN_ACCESS = allowUsers('memory-tags:own');

export const caretakerRoutes: FastifyPluginAsyncTypebox<
  CaretakerServices & { database: Database; createIdempotently: IdempotentHandler }
> = async (app, services) => {
  const { database, fieldCipher, createIdempotently } = services;

  app.get(
    '/caring',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG') },
      schema: {
        operationId: 'memoryTags.listCaring',
        tags: ['Memory tags'],
        summary: 'List memory tags that you are a caretaker of, newest first',
        description: 'Includes those that were shared with your address before you registered.',
        querystring: PageQuery,
        response: { 200: createPageSchema(CaredFor) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const { email } = requireAuthenticatedUser(request);
      const { id } = requireAccount(request);
      const list = await listOwnCaredForMemoryTags(services, { id, email }, page);
      return toListPage(page, list, ({ memoryTag, createdAt }) => ({
        memoryTag: toMemoryTagListItemView(hideReferences(memoryTag, 'CARETAKER')),
        ownerName: formatOwnerName(memoryTag.account),
        since: createdAt.toISOString(),
      }));
    },
  );

  app.delete(
    '/caring/:id',
    {
      config: { access: OWN_ACCESS, audit: auditAs('MEMORY_TAG_CARETAKER_LEFT') },
      schema: {
        operationId: 'memoryTags.leave',
        tags: ['Memory tags'],
        summary: 'Stop being a caretaker of a memory tag',
        description: 'You can no longer read or change it. The owner can add you again.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const left = { memoryTagId: id, userId: requireAccount(request).id };
      await leaveMemoryTag(database, getRequestContext(request), left);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/caretakers',
    {
      config: {
        access: allowUsersWithProfile('memory-tags:own'),
        audit: auditAs('MEMORY_TAG_CARETAKER_ADDED'),
      },
      schema: {
        operationId: 'memoryTags.addCaretaker',
        tags: ['Memory tags'],
        summary: 'Add a caretaker to a memory tag',
        description:
          'The caretaker can find it with `GET /api/memory-tags/caring`, and change its texts, places, pictures and guest book, ' +
          'but cannot delete it, link it to a code or add caretakers. The response does not reveal whether the address has an ' +
          'account; an existing user is notified. Up to 10 per memory tag, and 100 new ones per day. Idempotent.',
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        body: NewCaretaker,
        response: { 201: schemaRef(Caretaker), ...createProblemResponseSchemas(404, 409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { id: memoryTagId } = request.params;
      const { email } = request.body;
      const context = getRequestContext(request);
      const fingerprint = { memoryTagId, email };
      const result = await createIdempotently(
        context,
        { who: requireAccount(request).id, fingerprint },
        async (tx) => ({
          body: toCaretakerView(await addCaretaker(services, context, tx, user, fingerprint)),
          location: `/api/memory-tags/${memoryTagId}/caretakers`,
        }),
      );
      return prepareCreatedReply(reply, result);
    },
  );

  app.get(
    '/:id/caretakers',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG') },
      schema: {
        operationId: 'memoryTags.listCaretakers',
        tags: ['Memory tags'],
        summary: 'List the caretakers of a memory tag by address',
        description: 'Only the owner can list them: 403 for a caretaker.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(Caretaker) },
      },
    },
    async (request) => {
      const { params } = request;
      const access = await findEditableMemoryTag(database.client, requireAccount(request).id, params.id);
      if (!access) throw new ServiceError('NOT_FOUND');
      if (access.role !== 'OWNER') throw createMemoryTagOwnerOnlyError();
      const page = parseListPage(request, OLDEST_FIRST);
      const rows = await listCaretakers(database.client, access.row);
      return toListPage(page, selectListRange(page, rows), toCaretakerView);
    },
  );

  app.delete(
    '/:id/caretakers/:caretakerId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('MEMORY_TAG_CARETAKER_REMOVED') },
      schema: {
        operationId: 'memoryTags.removeCaretaker',
        tags: ['Memory tags'],
        summary: 'Remove a caretaker immediately',
        description:
          'The next request of the caretaker is 404. Only the owner can do this: 403 for a caretaker.',
        params: createIdParamsSchema('id', 'caretakerId'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id: memoryTagId, caretakerId } = request.params;
      const removed = { memoryTagId, caretakerId, accountId: requireAccount(request).id };
      await removeCaretaker(database, getRequestContext(request), removed);
      return { id: caretakerId, deleted: true as const };
    },
  );

  function toCaretakerView(row: CaretakerRow): Static<typeof Caretaker> {
    return {
      id: row.id,
      email: CARETAKER_EMAIL.decrypt(fieldCipher, row),
      createdAt: row.createdAt.toISOString(),
    };
  }
};

function formatOwnerName({
  name,
  user,
}: {
  name: string | null;
  user: { firstName: string | null; lastName: string | null } | null;
}): string | null {
  return name ?? ([user?.firstName, user?.lastName].filter(Boolean).join(' ') || null);
}
