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
  repeatable,
  schemaRef,
  stringEnum,
} from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createChangesPageSchema, UpdatedSince } from '../../shared/list-changes.schemas.ts';
import { parseReferenceFilter, REFERENCE_FILTERS } from '../../shared/metadata.schemas.ts';
import { createSortParam, PageQuery } from '../../shared/pagination.ts';
import { createTimeRangeFilters, parseTimeRangeFilters } from '../../shared/time-filters.ts';
import { deleteOwnDocument, purgeOwnDocument } from './delete-document.use-case.ts';
import { toDocumentItemView } from './document.view.ts';
import { DOCUMENT_LIST_SORTS, DOCUMENT_SORTS } from './document-list.repository.ts';
import type { DocumentServices } from './document-services.ts';
import {
  createDocumentUploadHandler,
  discardDocumentUpload,
  findMissingFileErrors,
  requireDocumentUpload,
} from './document-upload.ts';
import {
  DOCUMENT_KINDS,
  DocumentItem,
  DocumentSchema,
  DocumentUpdateRequest,
  ExpiryDate,
  NewDocumentRequest,
} from './documents.schemas.ts';
import { listDocumentsWithAudit, readOwnDocument, recordReplayedHealthDocument } from './read-document.ts';
import { getDocumentRestoreCutoff, restoreOwnDocument } from './restore-document.use-case.ts';
import { createDocument } from './save-document-version.use-case.ts';
import { updateDocumentMetadata } from './update-document.use-case.ts';

const DocumentListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Matches part of the title, case-insensitive.' }),
  ),
  kind: Type.Optional(repeatable(stringEnum(DOCUMENT_KINDS), 'Any of these kinds.')),
  ...REFERENCE_FILTERS,
  ...createTimeRangeFilters('created', 'createdAt'),
  expiresFrom: Type.Optional(Type.String({ ...ExpiryDate, description: '`expiresOn` from this date on.' })),
  expiresTo: Type.Optional(Type.String({ ...ExpiryDate, description: '`expiresOn` before this date.' })),
  updatedSince: UpdatedSince,
  deleted: Type.Optional(
    Type.Boolean({
      description:
        'Lists deleted documents that can be restored, in place of the others. Not with `updatedSince`.',
    }),
  ),
  sort: createSortParam(DOCUMENT_SORTS),
});

export const documentRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
  const { database } = services;
  const getDocumentKey = (request: FastifyRequest<{ Params: { id: string } }>) => ({
    accountId: requireAccount(request).id,
    id: request.params.id,
  });
  app.addHook('onError', (request) => discardDocumentUpload(services, request));

  app.get(
    '',
    {
      config: { access: allowUsers('documents:own'), audit: skipAudit('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.list',
        tags: ['Documents'],
        summary: 'List documents, newest first',
        description:
          'Lists the metadata, not the files. Those granted to you are at GET /api/documents/received.',
        querystring: DocumentListQuery,
        response: { 200: createChangesPageSchema(DocumentItem) },
      },
    },
    async (request) => {
      const {
        search,
        kind: kinds,
        sort: sortName = '-createdAt',
        updatedSince,
        deleted = false,
        expiresFrom,
        expiresTo,
      } = request.query;
      if (updatedSince !== undefined) return listDocumentChanges(request);
      const sort = DOCUMENT_LIST_SORTS[sortName];
      const page = parseListPage(request, sort);
      const user = requireAuthenticatedUser(request);
      const list = await listDocumentsWithAudit(
        database,
        getRequestContext(request),
        user,
        {
          search: search?.trim().normalize('NFC'),
          kinds,
          ...(deleted && { deletedSince: getDocumentRestoreCutoff() }),
          created: parseTimeRangeFilters(request.query, 'created', user.timeZone),
          expiresFrom,
          expiresTo,
          ...parseReferenceFilter(request.query),
        },
        sort,
        page,
      );
      return toListPage(page, list, toDocumentItemView);
    },
  );

  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('documents:own'),
        audit: auditAs('DOCUMENT_CREATED'),
        rateLimitClass: 'upload',
        findBodyErrors: findMissingFileErrors,
        form: {
          files: {},
          json: ['metadata'],
          streamed: createDocumentUploadHandler(services, async (request) => {
            const isRepeat = getRequestContext(request).idempotencyKey !== undefined;
            if (!isRepeat)
              await services.checkQuota(database.client, 'documents', requireAccount(request).id);
          }),
        },
      },
      schema: {
        operationId: 'documents.create',
        tags: ['Documents'],
        summary: 'Upload a document: PDF, picture, plain text or office file',
        description:
          'The type is detected from the content. The file is encrypted while it is received; form fields may come before or after it. A file can have up to a tenth of the storage quota (413). The number of documents and their total size are limited by the package (403 PLAN_LIMIT_REACHED). Other types: 415 FILE_TYPE_UNSUPPORTED.',
        headers: IdempotencyKeyHeader,
        body: NewDocumentRequest,
        response: { 201: schemaRef(DocumentSchema), ...createProblemResponseSchemas(403, 409, 415) },
      },
    },
    async (request, reply) => {
      const { id } = requireAccount(request);
      const upload = requireDocumentUpload(request);
      return prepareCreatedReply(
        reply,
        await createDocument(services, getRequestContext(request), id, upload, request.body),
      );
    },
  );

  app.get(
    '/:id',
    {
      config: { access: allowUsers('documents:own'), audit: auditAs('HEALTH_DOCUMENT_VIEWED') },
      schema: {
        operationId: 'documents.get',
        tags: ['Documents'],
        summary: 'Get the metadata of a document. Access to a health document is audited',
        description:
          'Returns the metadata with note, file name and the result of the malware check. The file itself is at GET /api/documents/{id}/content.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DocumentSchema) },
      },
    },
    async (request, reply) => {
      const document = await readOwnDocument(services, getRequestContext(request), getDocumentKey(request));
      return reply.header('ETag', formatVersionEtag(document.version)).send(document);
    },
  );

  defineUpdateRoutes(app, {
    url: '/:id',
    operationIds: { put: 'documents.update', patch: 'documents.patch' },
    config: { access: allowUsers('documents:own'), audit: auditAs('DOCUMENT_UPDATED') },
    schema: {
      tags: ['Documents'],
      summary: 'Update the metadata of a document',
      description:
        'Upload a new version to replace the file. A document above the limits of the package is read-only: 403 PLAN_LIMIT_REACHED.',
      params: createIdParamsSchema('id'),
      body: DocumentUpdateRequest,
      response: { 200: schemaRef(DocumentSchema), ...createProblemResponseSchemas(403, 409, 412) },
    },
    handler: async (request, reply) => {
      const ifMatch = request.headers['if-match'];
      const document = await updateDocumentMetadata(
        services,
        getRequestContext(request),
        getDocumentKey(request),
        request.body,
        ifMatch,
      );
      return reply.header('ETag', formatVersionEtag(document.version)).send(document);
    },
  });

  app.delete(
    '/:id',
    {
      config: { access: allowUsers('documents:own'), audit: auditAs('DOCUMENT_DELETED') },
      schema: {
        operationId: 'documents.delete',
        tags: ['Documents'],
        summary: `Delete a document; it can be restored for ${formatLifetime('deletedDocument')}`,
        description: `Links and grants stop working at once. Its files stay, and count towards the storage quota, for ${formatLifetime('deletedDocument')}. \`permanent=true\` removes them at once, also of a document that is deleted; this cannot be undone.`,
        params: createIdParamsSchema('id'),
        querystring: Type.Object({
          permanent: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Remove it at once, so that it cannot be restored.',
            }),
          ),
        }),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const context = getRequestContext(request);
      const remove = request.query.permanent ? purgeOwnDocument : deleteOwnDocument;
      await remove(services, context, getDocumentKey(request), request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/restore',
    {
      config: {
        access: allowUsersWithProfile('documents:own'),
        audit: auditAs('DOCUMENT_RESTORED'),
        storesResponse: {
          onReplay: (request: FastifyRequest, body: unknown) =>
            recordReplayedHealthDocument(services, getRequestContext(request), body),
        },
      },
      schema: {
        operationId: 'documents.restore',
        tags: ['Documents'],
        summary: `Restore a deleted document within ${formatLifetime('deletedDocument')}`,
        description:
          'Its versions, links and grants are as they were. 404 if it is too late; 403 PLAN_LIMIT_REACHED if the package has no room for another document.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DocumentSchema), ...createProblemResponseSchemas(403, 409, 412) },
      },
    },
    async (request) =>
      restoreOwnDocument(
        services,
        getRequestContext(request),
        getDocumentKey(request),
        request.headers['if-match'],
      ),
  );

  async function listDocumentChanges(
    request: FastifyRequest<{ Querystring: Static<typeof DocumentListQuery> }>,
  ) {
    const user = requireAuthenticatedUser(request);
    const sort = DOCUMENT_LIST_SORTS.updatedAt;
    return listChanges(request, sort, async (since, page) => {
      const context = getRequestContext(request);
      const filter = { updatedSince: since };
      const { rows } = await listDocumentsWithAudit(database, context, user, filter, sort, page);
      const deletions = await listDeletions(
        database.client,
        { accountId: requireAccount(request).id, type: 'DOCUMENT', since },
        page,
      );
      return { rows, deletions, toItem: toDocumentItemView };
    });
  }
};
