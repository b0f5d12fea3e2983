import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { DocumentServices } from './document-services.ts';
import { findDocumentVersion, findNewestDocumentVersion } from './document-version.repository.ts';
import { DOCUMENT_FILE_NAME } from './encrypted-document-fields.ts';
import { requireOwnDocument } from './read-document.ts';
import { DOCUMENT_CONTENT_RESPONSE_SCHEMAS, sendDocumentContent } from './send-document-content.ts';
import { InlineContentQuery } from './shares/content-query.schemas.ts';

const DocumentContentQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Version number. Default: the newest version.',
    }),
  ),
  ...InlineContentQuery.properties,
});

export const documentContentRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:id/content',
    {
      config: { access: allowUsers('documents:own'), audit: auditAs('DOCUMENT_READ') },
      schema: {
        operationId: 'documents.getContent',
        tags: ['Documents'],
        summary: 'Download a document, or a range of it',
        description:
          'Sent as an attachment, unless `inline` is set for a picture, a PDF or a text. Each access is audited; range requests within five minutes are one access.',
        params: createIdParamsSchema('id'),
        querystring: DocumentContentQuery,
        response: { ...DOCUMENT_CONTENT_RESPONSE_SCHEMAS, ...createProblemResponseSchemas(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const { id: accountId, sessionId } = requireAuthenticatedUser(request);
      const { version: number, inline } = request.query;
      const { id } = await requireOwnDocument(database.client, { accountId, id: request.params.id });
      const version = await (number === undefined
        ? findNewestDocumentVersion(database.client, id)
        : findDocumentVersion(database.client, id, number));
      if (!version) throw new ServiceError('NOT_FOUND');
      const context = getRequestContext(request);
      const record = () => commitAuditEntry(database, context, { resourceId: id });
      return sendDocumentContent(services, request, reply, {
        version,
        fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, version),
        inline,
        access: { reader: sessionId, record },
      });
    },
  );
};
