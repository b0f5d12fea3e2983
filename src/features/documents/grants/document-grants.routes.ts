import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { requireValidEmail } from '../../../shared/email.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { requireOwnDocument } from '../read-document.ts';
import { revokeDocumentGrant } from './end-grant.use-case.ts';
import { findOwnDocumentGrant, listDocumentGrants } from './grant.repository.ts';
import { toDocumentGrantView } from './grant.view.ts';
import { grantDocument } from './grant-document.ts';
import type { DocumentGrantServices } from './grant-services.ts';
import { DocumentGrant, NewDocumentGrantRequest } from './grants.schemas.ts';

const DOCUMENT_ACCESS = allowUsers('documents:own');

export const documentGrantRoutes: FastifyPluginAsyncTypebox<DocumentGrantServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher } = services;

  app.post(
    '/:id/grants',
    {
      config: { access: allowUsersWithProfile('documents:own'), audit: auditAs('DOCUMENT_GRANTED') },
      schema: {
        operationId: 'documents.createGrant',
        tags: ['Documents'],
        summary: 'Grant another user read access to a document',
        description:
          'The response is the same whether or not the address has an account. Up to 100 grants per document, and 100 new grants per day.',
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        body: NewDocumentGrantRequest,
        response: { 201: schemaRef(DocumentGrant), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const document = { id: request.params.id, accountId: requireAccount(request).id };
      const email = requireValidEmail(request.body.email);
      return prepareCreatedReply(
        reply,
        await grantDocument(services, getRequestContext(request), document, email),
      );
    },
  );

  app.get(
    '/:id/grants',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.listGrants',
        tags: ['Documents'],
        summary: 'List the grants of a document, newest first',
        description: 'Lists the addresses that can read the document, with or without an account.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(DocumentGrant) },
      },
    },
    async (request) => {
      const filter = { documentId: request.params.id, accountId: requireAccount(request).id };
      await requireOwnDocument(database.client, { id: filter.documentId, accountId: filter.accountId });
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listDocumentGrants(database.client, filter, page);
      return toListPage(page, list, (row) => toDocumentGrantView(fieldCipher, row));
    },
  );

  app.get(
    '/:id/grants/:grantId',
    {
      config: { access: DOCUMENT_ACCESS, audit: skipAudit('DOCUMENT') },
      schema: {
        operationId: 'documents.getGrant',
        tags: ['Documents'],
        summary: 'Get a grant of a document',
        description: 'The address has it with or without an account.',
        params: createIdParamsSchema('id', 'grantId'),
        response: { 200: schemaRef(DocumentGrant) },
      },
    },
    async (request) => {
      const { id: documentId, grantId: id } = request.params;
      const { id: accountId } = requireAccount(request);
      await requireOwnDocument(database.client, { id: documentId, accountId });
      const row = await findOwnDocumentGrant(database.client, { id, documentId, accountId });
      if (!row) throw new ServiceError('NOT_FOUND');
      return toDocumentGrantView(fieldCipher, row);
    },
  );

  app.delete(
    '/:id/grants/:grantId',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_GRANT_REVOKED') },
      schema: {
        operationId: 'documents.deleteGrant',
        tags: ['Documents'],
        summary: 'Revoke a grant immediately',
        description: 'The next request of its recipient is 404, and the document leaves their list.',
        params: createIdParamsSchema('id', 'grantId'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id: documentId, grantId: id } = request.params;
      const grant = { id, documentId, accountId: requireAccount(request).id };
      await revokeDocumentGrant(database, getRequestContext(request), grant);
      return { id, deleted: true as const };
    },
  );
};
