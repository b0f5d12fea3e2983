import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  cursorAnswer,
  FIRST_CURSOR,
  offsetOf,
  PageQuery,
  pageAnswer,
  pageOf,
} from '../../shared/pagination.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { hasEnterpriseMode } from '../accounts/enterprise.repository.ts';
import type { DocumentRow } from '../documents/document.repository.ts';
import { ownDocument } from '../documents/read-document.ts';
import { isStrict } from './find-share.ts';
import { makeShare } from './make-share.ts';
import { listReadings } from './reading.repository.ts';
import { endShare, listShares } from './share.repository.ts';
import { readingView, shareView } from './share.view.ts';
import type { ShareServices } from './share-services.ts';
import {
  DocumentReadingList,
  DocumentShare,
  NewDocumentShare,
  NewShare,
  ReadingsQuery,
} from './shares.schemas.ts';

const OWN = account('documents:own');

/** The owner's side of links to a document: making, seeing and ending them, and who has read it. */
export const ownShareRoutes: FastifyPluginAsyncTypebox<ShareServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '/:id/shares',
    {
      config: { access: accountWithProfile('documents:own'), audit: audited('DOCUMENT_SHARED') },
      schema: {
        operationId: 'documents.share',
        tags: ['Documents'],
        summary: 'Make a link that opens a document for whoever has it.',
        description:
          'Looking at the link counts nothing, opening it counts one view. As many as 100 that work at a time. ' +
          'Of a health document in enterprise mode a passcode and an end within seven days are needed.',
        params: idParams('id'),
        headers: IdempotencyHeader,
        body: NewShare,
        response: { 201: ref(NewDocumentShare), ...problems(409) },
      },
    },
    async (request, reply) => {
      return created(reply, await makeShare(services, callerOf(request), ownedBy(request), request.body));
    },
  );

  app.get(
    '/:id/shares',
    {
      config: { access: OWN, audit: unaudited('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.shares',
        tags: ['Documents'],
        summary: 'The links to a document, newest first, and how often each was opened.',
        params: idParams('id'),
        querystring: PageQuery,
        response: { 200: pageOf(DocumentShare) },
      },
    },
    async (request) => {
      const document = await ownDocument(database.client, ownedBy(request));
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listShares(database.client, ofDocument(document), page);
      const ownerIsEnterprise = await hasEnterpriseMode(database.client, document.ownerId);
      const strict = isStrict(services, { kind: document.kind, ownerIsEnterprise });
      return pageAnswer(
        request.query,
        rows.map((row) => shareView(row, strict)),
        total,
      );
    },
  );

  app.delete(
    '/:id/shares/:share_id',
    {
      config: { access: OWN, audit: audited('DOCUMENT_SHARE_ENDED') },
      schema: {
        operationId: 'documents.endShare',
        tags: ['Documents'],
        summary: 'End a link at once, with what was opened by it.',
        params: idParams('id', 'share_id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id: documentId, share_id: id } = request.params;
      await database.transaction(async (tx) => {
        const isEnded = await endShare(tx, { id, documentId, ownerId: userOf(request).id });
        if (isEnded === false) throw new ServiceError('NOT_FOUND');
        if (isEnded) await recordAction(tx, callerOf(request), { resourceId: documentId });
      });
      return { id, deleted: true as const };
    },
  );

  app.get(
    '/:id/readings',
    {
      config: { access: OWN, audit: unaudited('DOCUMENT'), cache: 'revalidate' },
      schema: {
        operationId: 'documents.readings',
        tags: ['Documents'],
        summary: 'Who opened a document, by which link or name, and when; newest first.',
        params: idParams('id'),
        querystring: ReadingsQuery,
        response: { 200: ref(DocumentReadingList) },
      },
    },
    async (request) => {
      const { limit, cursor = FIRST_CURSOR } = request.query;
      const after = readTimeCursor(cursor);
      const document = await ownDocument(database.client, ownedBy(request));
      const rows = await listReadings(database.client, ofDocument(document), after, limit + 1);
      return cursorAnswer(rows, limit, readingView, ({ readAt, id }) => writeTimeCursor({ at: readAt, id }));
    },
  );
};

function ownedBy(request: FastifyRequest<{ Params: { id: string } }>): { id: string; ownerId: string } {
  return { id: request.params.id, ownerId: userOf(request).id };
}

function ofDocument({ id, ownerId }: DocumentRow): { documentId: string; ownerId: string } {
  return { documentId: id, ownerId };
}
