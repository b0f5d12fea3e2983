import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { NEWEST_FIRST, toTimePosition } from '../../../shared/list-cursor.ts';
import { DOCUMENT_CONTENT_RESPONSE_SCHEMAS } from '../send-document-content.ts';
import { InlineContentQuery } from '../shares/content-query.schemas.ts';
import { declineDocumentGrant } from './end-grant.use-case.ts';
import { listReceivedDocuments } from './grant.repository.ts';
import { toReceivedDocumentView } from './grant.view.ts';
import type { DocumentGrantServices } from './grant-services.ts';
import { ReceivedDocumentList, ReceivedDocumentQuery } from './grants.schemas.ts';
import { hashRecipient, sendReceivedDocument } from './send-received-document.ts';

const DOCUMENT_ACCESS = allowUsers('documents:own');

export const receivedDocumentRoutes: FastifyPluginAsyncTypebox<DocumentGrantServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/received',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.listReceived',
        tags: ['Documents'],
        summary: 'List documents granted to you, newest first',
        description:
          'Includes documents that were granted to your address before you registered. You can read their current version.',
        querystring: ReceivedDocumentQuery,
        response: { 200: schemaRef(ReceivedDocumentList) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const after = toTimePosition(page.after);
      const rows = await listReceivedDocuments(
        database.client,
        hashRecipient(services, requireAuthenticatedUser(request)),
        after,
        page.take,
      );
      return toListPage(page, { rows }, toReceivedDocumentView);
    },
  );

  app.get(
    '/received/:grantId/content',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('GRANTED_DOCUMENT_READ') },
      schema: {
        operationId: 'documents.getReceivedContent',
        tags: ['Documents'],
        summary: 'Download a document granted to you, or a range of it',
        description: 'The owner can see that you read it. Range requests within five minutes are one access.',
        params: createIdParamsSchema('grantId'),
        querystring: InlineContentQuery,
        response: { ...DOCUMENT_CONTENT_RESPONSE_SCHEMAS, ...createProblemResponseSchemas(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const { inline } = request.query;
      return sendReceivedDocument(services, request, reply, { grantId: request.params.grantId, inline });
    },
  );

  app.delete(
    '/received/:grantId',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_GRANT_DECLINED') },
      schema: {
        operationId: 'documents.declineGrant',
        tags: ['Documents'],
        summary: 'Decline a document granted to you. It is removed from your list',
        description: 'You can no longer read it. The owner can grant it again.',
        params: createIdParamsSchema('grantId'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { grantId: id } = request.params;
      await declineDocumentGrant(
        database,
        getRequestContext(request),
        id,
        hashRecipient(services, requireAuthenticatedUser(request)),
      );
      return { id, deleted: true as const };
    },
  );
};
