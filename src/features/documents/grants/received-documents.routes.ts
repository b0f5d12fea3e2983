import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { NEWEST_FIRST, toTimePosition } from '../../../shared/list-cursor.ts';
import { findDocumentVersion } from '../document-version.repository.ts';
import { DOCUMENT_FILE_NAME } from '../encrypted-document-fields.ts';
import { DOCUMENT_CONTENT_RESPONSE_SCHEMAS, sendDocumentContent } from '../send-document-content.ts';
import { InlineContentQuery } from '../shares/content-query.schemas.ts';
import { declineDocumentGrant } from './end-grant.use-case.ts';
import { findReceivedDocument, listReceivedDocuments } from './grant.repository.ts';
import { toReceivedDocumentView } from './grant.view.ts';
import { hashDocumentGrantEmail } from './grant-email.ts';
import type { DocumentGrantServices } from './grant-services.ts';
import { ReceivedDocumentList, ReceivedDocumentQuery } from './grants.schemas.ts';
import { recordReceivedDocumentAccess } from './record-recipient-access.use-case.ts';

const DOCUMENT_ACCESS = allowUsers('documents:own');

export const receivedDocumentRoutes: FastifyPluginAsyncTypebox<DocumentGrantServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher } = services;

  app.get(
    '/received',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.listReceived',
        tags: ['Documents'],
        summary: 'List documents granted to you, newest first',
        description:
          'Includes documents that were granted to your address before you registered. You can read their newest version.',
        querystring: ReceivedDocumentQuery,
        response: { 200: schemaRef(ReceivedDocumentList) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const after = toTimePosition(page.after);
      const rows = await listReceivedDocuments(database.client, hashOwnEmail(request), after, page.take);
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
      const received = await findReceivedDocument(
        database.client,
        request.params.grantId,
        hashOwnEmail(request),
      );
      const version =
        received && (await findDocumentVersion(database.client, received.documentId, received.version));
      if (!received || !version) throw new ServiceError('NOT_FOUND');
      const { id } = requireAuthenticatedUser(request);
      const record = () => recordReceivedDocumentAccess(services, getRequestContext(request), received, id);
      return sendDocumentContent(services, request, reply, {
        version,
        fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, version),
        inline: request.query.inline,
        access: { reader: `given:${id}`, record },
      });
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
      await declineDocumentGrant(database, getRequestContext(request), id, hashOwnEmail(request));
      return { id, deleted: true as const };
    },
  );

  function hashOwnEmail(request: FastifyRequest): Buffer<ArrayBuffer> {
    return hashDocumentGrantEmail(fieldCipher, requireAuthenticatedUser(request).email);
  }
};
