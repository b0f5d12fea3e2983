import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { tolerateIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, hasAccountPermission, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { type ListSort, NEWEST_FIRST } from '../../shared/list-cursor.ts';
import {
  decideGuestBookEntry,
  removeGuestBookEntry,
  restoreDeletedGuestBookEntry,
} from './decide-entry.use-case.ts';
import { getGuestBookRestoreCutoff, LAST_DELETED_FIRST } from './deleted-entries.ts';
import {
  type GuestBookEntryRow,
  listDeletedGuestBookEntries,
  listGuestBookEntries,
} from './guest-book.repository.ts';
import {
  GuestBook,
  GuestBookEntry,
  GuestBookEntryDecision,
  GuestBookQuery,
  MAX_PENDING_ENTRIES,
} from './guest-book.schemas.ts';
import { toGuestBookEntryView } from './guest-book.view.ts';
import { createMemoryTagOwnerOnlyError, findEditableMemoryTag } from './memory-tag-access.ts';

const OWN_ACCESS = allowUsers('memory-tags:own');

/** Routes for owners and caretakers, who approve entries. */
export const guestBookModerationRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
}> = async (app, { database, fieldCipher }) => {
  app.get(
    '/:id/guest-book',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG') },
      schema: {
        operationId: 'memoryTags.listEntries',
        tags: ['Memory tags'],
        summary: 'List the entries of a guest book, newest first',
        description:
          'For the owner and caretakers, whatever the status; deleted ones for the owner, with a role that restores them. The page shows approved entries only.',
        params: createIdParamsSchema('id'),
        querystring: GuestBookQuery,
        response: { 200: schemaRef(GuestBook) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { client } = database;
      const { status: states = [], deleted = false } = request.query;
      const sort: ListSort<GuestBookEntryRow> = deleted ? LAST_DELETED_FIRST : NEWEST_FIRST;
      const page = parseListPage(request, sort);
      const access = await findEditableMemoryTag(client, requireAccount(request).id, id);
      if (!access) throw new ServiceError('NOT_FOUND');
      if (deleted && access.role !== 'OWNER') throw createMemoryTagOwnerOnlyError();
      if (deleted && !hasAccountPermission(requireAuthenticatedUser(request), 'memory-tags:own', 'POST'))
        throw new ServiceError('FORBIDDEN');
      const deletedSince = getGuestBookRestoreCutoff();
      const list = await database.read((db) =>
        deleted
          ? listDeletedGuestBookEntries(db.client, id, { states, deletedSince }, page)
          : listGuestBookEntries(db.client, id, states, page),
      );
      return tolerateIntegrityFailures(database, getRequestContext(request), (readTolerantly) =>
        toListPage(page, list, (row) => toGuestBookEntryView(fieldCipher, row, readTolerantly)),
      );
    },
  );

  app.patch(
    '/:id/guest-book/:entryId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_APPROVED') },
      schema: {
        operationId: 'memoryTags.patchEntry',
        tags: ['Memory tags'],
        summary: 'Approve or hide a guest book entry. Idempotent',
        description:
          'APPROVED shows the entry on the page of the memory tag, HIDDEN takes it off. Either can be changed later.',
        params: createIdParamsSchema('id', 'entryId'),
        body: GuestBookEntryDecision,
        response: { 200: schemaRef(GuestBookEntry) },
      },
    },
    async (request) => {
      const { id, entryId: entry } = request.params;
      const decision = { memoryTagId: id, entryId: entry, state: request.body.status };
      const { id: accountId } = requireAccount(request);
      const row = await decideGuestBookEntry(database, getRequestContext(request), accountId, decision);
      return toGuestBookEntryView(fieldCipher, row);
    },
  );

  app.delete(
    '/:id/guest-book/:entryId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_DELETED') },
      schema: {
        operationId: 'memoryTags.deleteEntry',
        tags: ['Memory tags'],
        summary: `Delete a guest book entry; it can be restored for ${formatLifetime('deletedGuestBookEntry')}`,
        description:
          'Only the owner can do this; a caretaker can hide it. The author can withdraw it for good, by the link that was shown after signing.',
        params: createIdParamsSchema('id', 'entryId'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id: memoryTagId, entryId } = request.params;
      const { id: accountId } = requireAccount(request);
      await removeGuestBookEntry(database, getRequestContext(request), accountId, { memoryTagId, entryId });
      return { id: entryId, deleted: true as const };
    },
  );

  app.post(
    '/:id/guest-book/:entryId/restore',
    {
      config: { access: OWN_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_RESTORED'), storesResponse: true },
      schema: {
        operationId: 'memoryTags.restoreEntry',
        tags: ['Memory tags'],
        summary: `Restore a deleted guest book entry within ${formatLifetime('deletedGuestBookEntry')}`,
        description: `As visible as it was. Only the owner can do this. 404 if it is too late; 409 TOO_MANY_PENDING_ENTRIES if it is to be decided and ${MAX_PENDING_ENTRIES} others are, too.`,
        params: createIdParamsSchema('id', 'entryId'),
        response: { 200: schemaRef(GuestBookEntry), ...createProblemResponseSchemas(403, 404, 409) },
      },
    },
    async (request) => {
      const { id: memoryTagId, entryId } = request.params;
      const { id: accountId } = requireAccount(request);
      const context = getRequestContext(request);
      const row = await restoreDeletedGuestBookEntry(database, context, accountId, { memoryTagId, entryId });
      return toGuestBookEntryView(fieldCipher, row);
    },
  );
};
