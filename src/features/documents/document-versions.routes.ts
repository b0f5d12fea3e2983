import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  Id,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import type { ListSort } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { deleteOwnDocumentVersion } from './delete-document.use-case.ts';
import { toDocumentVersionView } from './document.view.ts';
import type { DocumentServices } from './document-services.ts';
import {
  createDocumentUploadHandler,
  discardDocumentUpload,
  requireDocumentUpload,
} from './document-upload.ts';
import type { DocumentVersionRow } from './document-version.repository.ts';
import { DocumentSchema, DocumentVersionSchema } from './documents.schemas.ts';
import {
  listOwnDocumentVersions,
  recordReplayedHealthDocument,
  requireOwnDocument,
} from './read-document.ts';
import { restoreDocumentVersion } from './restore-version.use-case.ts';
import { addDocumentVersion } from './save-document-version.use-case.ts';

const VersionParams = Type.Object({
  id: Id,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Version number.' }),
});

const NEWEST_VERSION_FIRST: ListSort<DocumentVersionRow> = {
  name: '-number',
  keyType: 'integer',
  getPosition: ({ number }) => ({ key: number, id: '' }),
};

export const documentVersionRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const getDocumentKey = (request: FastifyRequest) => ({
    accountId: requireAccount(request).id,
    id: String(Reflect.get(Object(request.params), 'id')),
  });
  app.addHook('onError', (request) => discardDocumentUpload(services, request));

  app.post(
    '/:id/versions',
    {
      config: {
        access: allowUsersWithProfile('documents:own'),
        audit: auditAs('DOCUMENT_VERSION_ADDED'),
        rateLimitClass: 'upload',
        form: {
          files: {},
          streamed: createDocumentUploadHandler(services, async (request) => {
            await requireOwnDocument(database.client, getDocumentKey(request));
          }),
        },
      },
      schema: {
        operationId: 'documents.addVersion',
        tags: ['Documents'],
        summary: 'Upload a new version of a document. Earlier versions are kept',
        description:
          'A document can have up to 20 versions (409 TOO_MANY_VERSIONS). Each version counts towards the storage quota. Send If-Match to reject the upload if the document was changed in the meantime.',
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        response: { 201: schemaRef(DocumentVersionSchema), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request, reply) => {
      const ifMatch = request.headers['if-match'];
      const upload = requireDocumentUpload(request);
      return prepareCreatedReply(
        reply,
        await addDocumentVersion(
          services,
          getRequestContext(request),
          getDocumentKey(request),
          upload,
          ifMatch,
        ),
      );
    },
  );

  app.get(
    '/:id/versions',
    {
      config: {
        access: allowUsers('documents:own'),
        audit: auditAs('HEALTH_DOCUMENT_VIEWED'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'documents.listVersions',
        tags: ['Documents'],
        summary: 'List the versions of a document, newest first',
        description:
          'Download one with `version` of GET /api/documents/{id}/content. Access to a health document is audited.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(DocumentVersionSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_VERSION_FIRST);
      const context = getRequestContext(request);
      const list = await listOwnDocumentVersions(services, context, getDocumentKey(request), page);
      return toListPage(page, list, (row) => toDocumentVersionView(fieldCipher, row));
    },
  );

  app.post(
    '/:id/versions/:number/restore',
    {
      config: {
        access: allowUsersWithProfile('documents:own'),
        audit: auditAs('DOCUMENT_VERSION_RESTORED'),
        storesResponse: {
          onReplay: (request: FastifyRequest, body: unknown) =>
            recordReplayedHealthDocument(services, getRequestContext(request), body),
        },
      },
      schema: {
        operationId: 'documents.restoreVersion',
        tags: ['Documents'],
        summary: 'Restore a version of a document: it becomes the current one',
        description:
          'Links and grants open it from then on. The other versions stay; restoring one of them undoes this. A document above the limits of the package is read-only: 403 PLAN_LIMIT_REACHED.',
        params: VersionParams,
        response: { 200: schemaRef(DocumentSchema), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request) =>
      restoreDocumentVersion(
        services,
        getRequestContext(request),
        getDocumentKey(request),
        request.params.number,
        request.headers['if-match'],
      ),
  );

  app.delete(
    '/:id/versions/:number',
    {
      config: { access: allowUsers('documents:own'), audit: auditAs('DOCUMENT_VERSION_DELETED') },
      schema: {
        operationId: 'documents.deleteVersion',
        tags: ['Documents'],
        summary: 'Delete a version of a document permanently',
        description: 'The current version cannot be deleted: 409 CURRENT_VERSION_NOT_DELETABLE.',
        params: VersionParams,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const id = await deleteOwnDocumentVersion(
        services,
        getRequestContext(request),
        getDocumentKey(request),
        request.params.number,
      );
      return { id, deleted: true as const };
    },
  );
};
