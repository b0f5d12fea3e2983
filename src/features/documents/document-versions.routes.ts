import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited } from '../../platform/route-access.ts';
import { Deleted, Id, IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { changeDocument } from './document.repository.ts';
import { documentVersionView } from './document.view.ts';
import type { DocumentServices } from './document-services.ts';
import { deleteVersion, findVersion, listVersions } from './document-version.repository.ts';
import { DocumentVersion } from './documents.schemas.ts';
import { lockDocument, ownDocument, recordSeen } from './read-document.ts';
import { addVersion } from './store-upload.ts';
import { documentFile, dropUpload, uploadOf } from './take-upload.ts';

const VersionParams = Type.Object({ id: Id, number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });

/** The versions of a document. */
export const documentVersionRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
  const { database, vault, files } = services;
  const ownedIn = (request: FastifyRequest) => ({
    ownerId: userOf(request).id,
    id: String(Reflect.get(Object(request.params), 'id')),
  });
  app.addHook('onError', (request) => dropUpload(services, request));

  app.post(
    '/:id/versions',
    {
      config: {
        access: accountWithProfile('documents:own'),
        audit: audited('DOCUMENT_VERSION_ADDED'),
        rateLimitClass: 'upload',
        form: {
          files: {},
          streamed: documentFile(services, async (request) => {
            await ownDocument(database.client, ownedIn(request));
          }),
        },
      },
      schema: {
        operationId: 'documents.addVersion',
        tags: ['Documents'],
        summary: 'Upload another version of a document; the former ones stay.',
        description:
          'At most 20: 409 TOO_MANY_VERSIONS beyond. Each counts towards what the package stores. With If-Match only where nothing was changed in the meantime.',
        headers: IdempotencyHeader,
        params: idParams('id'),
        response: { 201: ref(DocumentVersion), ...problems(409, 412) },
      },
    },
    async (request, reply) => {
      const ifMatch = request.headers['if-match'];
      const upload = uploadOf(request);
      return created(reply, await addVersion(services, callerOf(request), ownedIn(request), upload, ifMatch));
    },
  );

  app.get(
    '/:id/versions',
    {
      exposeHeadRoute: false,
      config: {
        access: account('documents:own'),
        audit: audited('HEALTH_DOCUMENT_SEEN'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'documents.versions',
        tags: ['Documents'],
        summary: 'The versions of a document, newest first.',
        params: idParams('id'),
        querystring: PageQuery,
        response: { 200: pageOf(DocumentVersion) },
      },
    },
    async (request) => {
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await database.transaction(async (tx) => {
        const document = await ownDocument(tx, ownedIn(request));
        await recordSeen(tx, callerOf(request), document);
        return listVersions(tx, document.id, page);
      });
      const versions = rows.map((row) => documentVersionView(vault, row));
      return pageAnswer(request.query, versions, total);
    },
  );

  app.delete(
    '/:id/versions/:number',
    {
      config: { access: account('documents:own'), audit: audited('DOCUMENT_VERSION_DELETED') },
      schema: {
        operationId: 'documents.deleteVersion',
        tags: ['Documents'],
        summary: 'Delete a former version of a document for good.',
        description: 'The newest one is 409 CURRENT_VERSION.',
        params: VersionParams,
        response: { 200: ref(Deleted), ...problems(409) },
      },
    },
    async (request) => {
      const owned = ownedIn(request);
      const id = await database.transaction(async (tx) => {
        const document = await lockDocument(tx, owned);
        const version = await findVersion(tx, document.id, request.params.number);
        if (!version) throw new ServiceError('NOT_FOUND');
        if (version.number === document.currentVersion) throw new ServiceError('CURRENT_VERSION');
        await deleteVersion(tx, version.id);
        await files.discard(tx, [version.fileId]);
        await changeDocument(tx, document.id, {});
        await recordAction(tx, callerOf(request), { resourceId: document.id });
        return version.id;
      });
      return { id, deleted: true as const };
    },
  );
};
