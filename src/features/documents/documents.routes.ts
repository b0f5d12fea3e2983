import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { checkVersion, versionTag } from '../../platform/http/if-match.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, IdempotencyHeader, idParams, oneOf, ref } from '../../shared/common.schemas.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { changeOwnDocument } from './change-document.ts';
import { deleteDocument } from './document.repository.ts';
import { documentItemView } from './document.view.ts';
import { DOCUMENT_SORTS } from './document-list.repository.ts';
import type { DocumentServices } from './document-services.ts';
import { listFileIds } from './document-version.repository.ts';
import { DOCUMENT_KINDS, Document, DocumentChange, DocumentItem, NewDocument } from './documents.schemas.ts';
import { listOwnDocuments, lockDocument, ownDocument, recordSeen, viewOf } from './read-document.ts';
import { createDocument } from './store-upload.ts';
import { documentFile, dropUpload, uploadOf } from './take-upload.ts';

const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Text within the title.' })),
  kind: Type.Optional(oneOf(DOCUMENT_KINDS)),
  sort: Type.Optional(oneOf(DOCUMENT_SORTS, { description: 'A field, descending with a minus.' })),
});

/** An owner's documents: list, upload, read, change, delete. */
export const documentRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
  const { database, files } = services;
  const owned = (request: FastifyRequest<{ Params: { id: string } }>) => ({
    ownerId: userOf(request).id,
    id: request.params.id,
  });
  app.addHook('onError', (request) => dropUpload(services, request));

  app.get(
    '',
    {
      // In enterprise mode what is listed leaves entries.
      exposeHeadRoute: false,
      config: { access: account('documents:own'), audit: unaudited('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.list',
        tags: ['Documents'],
        summary: 'The own documents, newest first.',
        querystring: ListQuery,
        response: { 200: pageOf(DocumentItem) },
      },
    },
    async (request) => {
      const { search, kind, sort = '-createdAt', limit } = request.query;
      const { rows, total } = await listOwnDocuments(database, callerOf(request), userOf(request), {
        search: search?.trim().normalize('NFC'),
        kind,
        sort,
        skip: offsetOf(request.query),
        take: limit,
      });
      return pageAnswer(request.query, rows.map(documentItemView), total);
    },
  );

  app.post(
    '',
    {
      config: {
        access: accountWithProfile('documents:own'),
        audit: audited('DOCUMENT_CREATED'),
        rateLimitClass: 'upload',
        form: {
          files: {},
          streamed: documentFile(services, async (request) => {
            const isRepeat = callerOf(request).idempotencyKey !== undefined;
            if (!isRepeat) await services.checkRoom(database.client, 'documents', userOf(request).id);
          }),
        },
      },
      schema: {
        operationId: 'documents.create',
        tags: ['Documents'],
        summary: 'Upload a document: PDF, a picture, plain text or an office file.',
        description:
          'What it is, is seen by its content. It is encrypted as it comes; fields may stand before or after the file. A tenth of what the package stores is the most for one file (413), the number of documents and all their bytes are limits of the package (403 PLAN_LIMIT_REACHED), other types are 415 FILE_TYPE_UNSUPPORTED.',
        headers: IdempotencyHeader,
        body: NewDocument,
        response: { 201: ref(Document), ...problems(409) },
      },
    },
    async (request, reply) => {
      const { id } = userOf(request);
      const upload = uploadOf(request);
      return created(reply, await createDocument(services, callerOf(request), id, upload, request.body));
    },
  );

  app.get(
    '/:id',
    {
      exposeHeadRoute: false,
      config: { access: account('documents:own'), audit: audited('HEALTH_DOCUMENT_SEEN') },
      schema: {
        operationId: 'documents.get',
        tags: ['Documents'],
        summary: 'Read what is noted of a document. Of a health document that is audited.',
        params: idParams('id'),
        response: { 200: ref(Document) },
      },
    },
    async (request, reply) => {
      const document = await database.transaction(async (tx) => {
        const row = await ownDocument(tx, owned(request));
        await recordSeen(tx, callerOf(request), row);
        return viewOf(services, tx, row);
      });
      return reply.header('ETag', versionTag(document.version)).send(document);
    },
  );

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/:id',
      config: { access: account('documents:own'), audit: audited('DOCUMENT_UPDATED') },
      schema: {
        operationId: method === 'PUT' ? 'documents.update' : 'documents.patch',
        tags: ['Documents'],
        summary: 'Change what is noted of a document: what is not given stays, null clears.',
        params: idParams('id'),
        body: DocumentChange,
        response: { 200: ref(Document), ...problems(412) },
      },
      handler: async (request, reply) => {
        const ifMatch = request.headers['if-match'];
        const changed = await changeOwnDocument(
          services,
          callerOf(request),
          owned(request),
          request.body,
          ifMatch,
        );
        return reply.header('ETag', versionTag(changed.version)).send(changed);
      },
    });
  }

  app.delete(
    '/:id',
    {
      config: { access: account('documents:own'), audit: audited('DOCUMENT_DELETED') },
      schema: {
        operationId: 'documents.delete',
        tags: ['Documents'],
        summary: 'Delete a document for good, with all versions and whatever it was shared by.',
        params: idParams('id'),
        response: { 200: ref(Deleted), ...problems(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await database.transaction(async (tx) => {
        const row = await lockDocument(tx, owned(request));
        checkVersion(request.headers['if-match'], row.version);
        const fileIds = await listFileIds(tx, id);
        await recordAction(tx, callerOf(request), { resourceId: id });
        await deleteDocument(tx, id);
        await files.discard(tx, fileIds);
      });
      return { id, deleted: true as const };
    },
  );
};
