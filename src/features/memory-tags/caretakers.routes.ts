import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { created } from '../../platform/http/created.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import {
  type CaretakerRow,
  deleteCare,
  deleteCaretaker,
  linkCaretakers,
  listCaretakers,
  listCaring,
} from './caretaker.repository.ts';
import { caretakerHash, openCaretakerEmail } from './caretaker-address.ts';
import { CaredFor, Caretaker, NewCaretaker } from './caretakers.schemas.ts';
import { holdOwnTag, ownersAlone, tendedTag } from './may-tend.ts';
import { holdMemoryTag } from './memory-tag.repository.ts';
import { memoryTagItemView } from './memory-tag.view.ts';
import { type CaretakerServices, nameCaretaker } from './name-caretaker.ts';

const OWN = account('memory-tags:own');

/** Other people of the service who help with memory tags. */
export const caretakerRoutes: FastifyPluginAsyncTypebox<
  CaretakerServices & { database: Database; createOnce: CreateOnce }
> = async (app, services) => {
  const { database, vault, createOnce } = services;

  app.get(
    '/caring',
    {
      config: { access: OWN, audit: unaudited('MEMORY_TAG') },
      schema: {
        operationId: 'memoryTags.caring',
        tags: ['Memory tags'],
        summary: 'The memory tags of others that the account may help with, the newest of them first.',
        querystring: PageQuery,
        response: { 200: pageOf(CaredFor) },
      },
    },
    async (request) => {
      const { id, email } = userOf(request);
      // An address may have been named before it had an account.
      await linkCaretakers(database.client, email, caretakerHash(vault, email));
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listCaring(database.client, id, page);
      const data = rows.map(({ memoryTag, createdAt }) => ({
        memoryTag: memoryTagItemView(memoryTag),
        ownerName: nameOf(memoryTag.owner),
        since: createdAt.toISOString(),
      }));
      return pageAnswer(request.query, data, total);
    },
  );

  app.delete(
    '/caring/:id',
    {
      config: { access: OWN, audit: audited('MEMORY_TAG_CARETAKER_LEFT') },
      schema: {
        operationId: 'memoryTags.leave',
        tags: ['Memory tags'],
        summary: 'Help with a memory tag of somebody else no longer.',
        params: idParams('id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await database.transaction(async (tx) => {
        await holdMemoryTag(tx, id);
        if (!(await deleteCare(tx, id, userOf(request).id))) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/caretakers',
    {
      config: {
        access: accountWithProfile('memory-tags:own'),
        audit: audited('MEMORY_TAG_CARETAKER_NAMED'),
      },
      schema: {
        operationId: 'memoryTags.nameCaretaker',
        tags: ['Memory tags'],
        summary: 'Let somebody else help with a memory tag.',
        description:
          'They find it in `GET /api/memory-tags/caring`, may change its texts and places, its pictures and its guest book, ' +
          'and may not delete it, bind it to a code or name others. The answer does not tell whether the address has an ' +
          'account; whoever has it is told. Ten of a memory tag, and 100 times a day; the same again changes nothing.',
        params: idParams('id'),
        headers: IdempotencyHeader,
        body: NewCaretaker,
        response: { 201: ref(Caretaker), ...problems(404, 409) },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      const { id: memoryTagId } = request.params;
      const { email } = request.body;
      const caller = callerOf(request);
      const sameAs = { memoryTagId, email };
      const made = await createOnce(caller, { who: user.id, sameAs }, async (tx) => ({
        body: caretakerView(await nameCaretaker(services, caller, tx, user, sameAs)),
        location: `/api/memory-tags/${memoryTagId}/caretakers`,
      }));
      return created(reply, made);
    },
  );

  app.get(
    '/:id/caretakers',
    {
      config: { access: OWN, audit: unaudited('MEMORY_TAG') },
      schema: {
        operationId: 'memoryTags.caretakers',
        tags: ['Memory tags'],
        summary: 'The addresses that may help with a memory tag, as they were named.',
        params: idParams('id'),
        querystring: PageQuery,
        response: { 200: pageOf(Caretaker) },
      },
    },
    async (request) => {
      const { query, params } = request;
      const tended = await tendedTag(database.client, userOf(request).id, params.id);
      if (!tended) throw new ServiceError('NOT_FOUND');
      if (tended.role !== 'OWNER') throw ownersAlone();
      const rows = await listCaretakers(database.client, params.id);
      const skip = offsetOf(query);
      return pageAnswer(query, rows.slice(skip, skip + query.limit).map(caretakerView), rows.length);
    },
  );

  app.delete(
    '/:id/caretakers/:caretaker',
    {
      config: { access: OWN, audit: audited('MEMORY_TAG_CARETAKER_REMOVED') },
      schema: {
        operationId: 'memoryTags.removeCaretaker',
        tags: ['Memory tags'],
        summary: 'Take back that somebody may help, at once.',
        params: idParams('id', 'caretaker'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id, caretaker } = request.params;
      await database.transaction(async (tx) => {
        const tag = await holdOwnTag(tx, userOf(request).id, id);
        if (!(await deleteCaretaker(tx, tag.id, caretaker))) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id: caretaker, deleted: true as const };
    },
  );

  function caretakerView(row: CaretakerRow): Static<typeof Caretaker> {
    return { id: row.id, email: openCaretakerEmail(vault, row), createdAt: row.createdAt.toISOString() };
  }
};

function nameOf({
  firstName,
  lastName,
}: {
  firstName: string | null;
  lastName: string | null;
}): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || null;
}
