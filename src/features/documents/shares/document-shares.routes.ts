import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { RETURNED_DELETED } from '../../../platform/http/api-versions.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { NEWEST_FIRST, toTimePosition } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { DocumentRow } from '../document.repository.ts';
import { requireOwnDocument } from '../read-document.ts';
import { createDocumentShareLink } from './create-share-link.ts';
import { LAST_READ_FIRST, listDocumentAccesses } from './document-access.repository.ts';
import { endOwnDocumentShare } from './end-share.use-case.ts';
import { findOwnDocumentShare, listDocumentShares } from './share.repository.ts';
import { findShareInputErrors } from './share.rules.ts';
import { toDocumentAccessView, toDocumentShareView } from './share.view.ts';
import type { DocumentShareServices } from './share-services.ts';
import { isStrictlyShared } from './share-state.ts';
import {
  CreatedShareResponse,
  DocumentAccessList,
  DocumentAccessQuery,
  DocumentShare,
  DocumentShareRequest,
} from './shares.schemas.ts';

const DOCUMENT_ACCESS = allowUsers('documents:own');

export const documentShareRoutes: FastifyPluginAsyncTypebox<DocumentShareServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.post(
    '/:id/shares',
    {
      config: {
        access: allowUsersWithProfile('documents:own'),
        audit: auditAs('DOCUMENT_SHARED'),
        findUseCaseErrors: (body: Partial<Static<typeof DocumentShareRequest>>) =>
          findShareInputErrors(body, false, new Date()),
      },
      schema: {
        operationId: 'documents.createShare',
        tags: ['Documents'],
        summary: 'Create a share link to a document',
        description: `Returns the token and the \`url\` to send, both only once. Opening the link counts one view. Up to 100 active links per document. In enterprise mode a health document requires a passcode and an expiry within ${formatLifetime('enterpriseHealthShare')}.`,
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        body: DocumentShareRequest,
        response: { 201: schemaRef(CreatedShareResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      return prepareCreatedReply(
        reply,
        await createDocumentShareLink(
          services,
          getRequestContext(request),
          getOwnedDocument(request),
          request.body,
        ),
      );
    },
  );

  app.get(
    '/:id/shares',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.listShares',
        tags: ['Documents'],
        summary: 'List the share links of a document, newest first',
        description:
          'Includes ended, expired and used-up links: `status` says which. Their tokens are not shown again.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(DocumentShare) },
      },
    },
    async (request) => {
      const document = await requireOwnDocument(database.client, getOwnedDocument(request));
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listDocumentShares(database.client, toDocumentKey(document), page);
      const strict = await isStrictlyShared(services, document);
      return toListPage(page, list, (row) => toDocumentShareView(row, strict));
    },
  );

  app.get(
    '/:id/shares/:shareId',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT') },
      schema: {
        operationId: 'documents.getShare',
        tags: ['Documents'],
        summary: 'Get a share link of a document, without its token',
        description: 'Also an ended, expired or used-up one: `status` says which.',
        params: createIdParamsSchema('id', 'shareId'),
        response: { 200: schemaRef(DocumentShare) },
      },
    },
    async (request) => {
      return readShare(request);
    },
  );

  app.delete(
    '/:id/shares/:shareId',
    {
      config: {
        access: DOCUMENT_ACCESS,
        audit: auditAs('DOCUMENT_SHARE_ENDED'),
        versionChanges: [RETURNED_DELETED],
      },
      schema: {
        operationId: 'documents.deleteShare',
        tags: ['Documents'],
        summary: 'End a share link immediately, with all downloads opened by it',
        description: 'Returns the link, which stays in the list as ENDED. Repeating it is 200.',
        params: createIdParamsSchema('id', 'shareId'),
        response: { 200: schemaRef(DocumentShare) },
      },
    },
    async (request) => {
      const { id: documentId, shareId: id } = request.params;
      const share = { id, documentId, accountId: requireAccount(request).id };
      await endOwnDocumentShare(database, getRequestContext(request), share);
      return readShare(request);
    },
  );

  app.get(
    '/:id/accesses',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.listAccesses',
        tags: ['Documents'],
        summary: 'List accesses to a document, newest first',
        description:
          'Lists who opened which version, when, and with which kind of device. Range requests within five minutes are one access.',
        params: createIdParamsSchema('id'),
        querystring: DocumentAccessQuery,
        response: { 200: schemaRef(DocumentAccessList) },
      },
    },
    async (request) => {
      const page = parseListPage(request, LAST_READ_FIRST);
      const document = await requireOwnDocument(database.client, getOwnedDocument(request));
      const rows = await listDocumentAccesses(
        database.client,
        toDocumentKey(document),
        toTimePosition(page.after),
        page.take,
      );
      return toListPage(page, { rows }, toDocumentAccessView);
    },
  );

  /** @throws NOT_FOUND */
  async function readShare(request: FastifyRequest<{ Params: { id: string; shareId: string } }>) {
    const document = await requireOwnDocument(database.client, getOwnedDocument(request));
    const filter = { id: request.params.shareId, ...toDocumentKey(document) };
    const row = await findOwnDocumentShare(database.client, filter);
    if (!row) throw new ServiceError('NOT_FOUND');
    return toDocumentShareView(row, await isStrictlyShared(services, document));
  }
};

function getOwnedDocument(request: FastifyRequest<{ Params: { id: string } }>): {
  id: string;
  accountId: string;
} {
  return { id: request.params.id, accountId: requireAccount(request).id };
}

function toDocumentKey({ id, accountId }: DocumentRow): { documentId: string; accountId: string } {
  return { documentId: id, accountId };
}
