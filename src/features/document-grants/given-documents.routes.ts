import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { cursorAnswer, FIRST_CURSOR } from '../../shared/pagination.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { ContentQuery } from '../document-shares/content-query.schemas.ts';
import { findVersion } from '../documents/document-version.repository.ts';
import { openFileName } from '../documents/sealed-fields.ts';
import { CONTENT_ANSWERS, sendContent } from '../documents/send-content.ts';
import { deleteGiven, findGiven, listGiven } from './grant.repository.ts';
import { givenView } from './grant.view.ts';
import { grantEmailHash } from './grant-email.ts';
import type { GrantServices } from './grant-services.ts';
import { GivenDocumentList, GivenQuery } from './grants.schemas.ts';
import { recordGivenReading } from './record-given-reading.ts';

const OWN = account('documents:own');

/** Documents for whoever they were given to by name. */
export const givenDocumentRoutes: FastifyPluginAsyncTypebox<GrantServices> = async (app, services) => {
  const { database, vault } = services;

  app.get(
    '/given',
    {
      config: { access: OWN, audit: unaudited('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.given',
        tags: ['Documents'],
        summary: 'What others gave you to read, newest first.',
        querystring: GivenQuery,
        response: { 200: ref(GivenDocumentList) },
      },
    },
    async (request) => {
      const { limit, cursor = FIRST_CURSOR } = request.query;
      const after = readTimeCursor(cursor);
      const rows = await listGiven(database.client, addressHash(request), after, limit + 1);
      return cursorAnswer(rows, limit, givenView, ({ createdAt, id }) =>
        writeTimeCursor({ at: createdAt, id }),
      );
    },
  );

  app.get(
    '/given/:document_grant_id/content',
    {
      exposeHeadRoute: true,
      config: { access: OWN, audit: audited('DOCUMENT_GIVEN_READ') },
      schema: {
        operationId: 'documents.givenContent',
        tags: ['Documents'],
        summary: 'The content of a document that was given to you, whole or one range of it.',
        description: 'Its owner sees that you read it; ranges within five minutes are one reading.',
        params: idParams('document_grant_id'),
        querystring: ContentQuery,
        response: { ...CONTENT_ANSWERS, ...problems(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const given = await findGiven(database.client, request.params.document_grant_id, addressHash(request));
      const version = given && (await findVersion(database.client, given.documentId, given.version));
      if (!given || !version) throw new ServiceError('NOT_FOUND');
      const { id } = userOf(request);
      const record = () => recordGivenReading(services, callerOf(request), given, id);
      return sendContent(services, request, reply, {
        ...{ version, fileName: openFileName(vault, version), inline: request.query.inline },
        reading: { reader: `given:${id}`, record },
      });
    },
  );

  app.delete(
    '/given/:document_grant_id',
    {
      config: { access: OWN, audit: audited('DOCUMENT_GIVEN_BACK') },
      schema: {
        operationId: 'documents.giveBack',
        tags: ['Documents'],
        summary: 'Give back what somebody gave you: it is in your list no longer.',
        params: idParams('document_grant_id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { document_grant_id: id } = request.params;
      await database.transaction(async (tx) => {
        const documentId = await deleteGiven(tx, id, addressHash(request));
        if (!documentId) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: documentId });
      });
      return { id, deleted: true as const };
    },
  );

  function addressHash(request: FastifyRequest): Buffer<ArrayBuffer> {
    return grantEmailHash(vault, userOf(request).email);
  }
};
