import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { emailOf } from '../accounts/email.rules.ts';
import { ownDocument } from '../documents/read-document.ts';
import { giveDocument } from './give-document.ts';
import { deleteGrant, listGrants } from './grant.repository.ts';
import { grantView } from './grant.view.ts';
import type { GrantServices } from './grant-services.ts';
import { DocumentGrant, NewGrant } from './grants.schemas.ts';

const OWN = account('documents:own');

/** The owner's side of documents that are given to people by name. */
export const ownGrantRoutes: FastifyPluginAsyncTypebox<GrantServices> = async (app, services) => {
  const { database, vault } = services;

  app.post(
    '/:id/grants',
    {
      config: { access: accountWithProfile('documents:own'), audit: audited('DOCUMENT_GIVEN') },
      schema: {
        operationId: 'documents.give',
        tags: ['Documents'],
        summary: 'Give a document to another user of the service, to read.',
        description:
          'The answer is the same whether or not the address has an account. Up to 100 people a document, and 100 times a day.',
        params: idParams('id'),
        headers: IdempotencyHeader,
        body: NewGrant,
        response: { 201: ref(DocumentGrant), ...problems(409) },
      },
    },
    async (request, reply) => {
      const document = { id: request.params.id, ownerId: userOf(request).id };
      const email = emailOf(request.body.email);
      return created(reply, await giveDocument(services, callerOf(request), document, email));
    },
  );

  app.get(
    '/:id/grants',
    {
      config: { access: OWN, audit: unaudited('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.grants',
        tags: ['Documents'],
        summary: 'Whom a document is given to, newest first.',
        params: idParams('id'),
        querystring: PageQuery,
        response: { 200: pageOf(DocumentGrant) },
      },
    },
    async (request) => {
      const of = { documentId: request.params.id, ownerId: userOf(request).id };
      await ownDocument(database.client, { id: of.documentId, ownerId: of.ownerId });
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listGrants(database.client, of, page);
      return pageAnswer(
        request.query,
        rows.map((row) => grantView(vault, row)),
        total,
      );
    },
  );

  app.delete(
    '/:id/grants/:document_grant_id',
    {
      config: { access: OWN, audit: audited('DOCUMENT_GRANT_ENDED') },
      schema: {
        operationId: 'documents.takeBack',
        tags: ['Documents'],
        summary: 'Take a document back from somebody, at once.',
        params: idParams('id', 'document_grant_id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id: documentId, document_grant_id: id } = request.params;
      await database.transaction(async (tx) => {
        const isTaken = await deleteGrant(tx, { id, documentId, ownerId: userOf(request).id });
        if (!isTaken) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: documentId });
      });
      return { id, deleted: true as const };
    },
  );
};
