import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema } from '../../shared/common.schemas.ts';
import type { DocumentServices } from './document-services.ts';
import { DOCUMENT_CONTENT_RESPONSE_SCHEMAS } from './send-document-content.ts';
import { sendOwnDocument } from './send-own-document.ts';
import { InlineContentQuery } from './shares/content-query.schemas.ts';

const DocumentContentQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Version number. Default: the current version.',
    }),
  ),
  ...InlineContentQuery.properties,
});

export const documentContentRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
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
      const { version, inline } = request.query;
      return sendOwnDocument(services, request, reply, { id: request.params.id, version, inline });
    },
  );
};
