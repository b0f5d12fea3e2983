import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { audited, PUBLIC, unaudited } from '../../platform/route-access.ts';
import { IdempotencyHeader, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findVersion } from '../documents/document-version.repository.ts';
import { openFileName } from '../documents/sealed-fields.ts';
import { CONTENT_ANSWERS, sendContent } from '../documents/send-content.ts';
import { ContentQuery } from './content-query.schemas.ts';
import { findShareOfToken, openShareOf } from './find-share.ts';
import { openShare } from './open-share.ts';
import { findShareReading } from './reading.repository.ts';
import { lookView } from './share.view.ts';
import type { ShareServices } from './share-services.ts';
import { isTicketOf, openingNamed } from './share-ticket.ts';
import { OpenedDocument, SharedDocumentLook, ShareOpening } from './shares.schemas.ts';

// A text that is no token must get the answer of unknown ones: no pattern here.
const OfToken = Type.Object({ token: Type.String() });
const OfTicket = Type.Object({ ticket: Type.String() });

/** Documents for whoever has a link to one. */
export const sharedDocumentRoutes: FastifyPluginAsyncTypebox<ShareServices> = async (app, services) => {
  const { database, vault, publicBaseUrl } = services;

  app.get(
    '/shared/:token',
    {
      config: { access: PUBLIC, audit: unaudited('DOCUMENT'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'documents.look',
        tags: ['Documents'],
        summary: 'What a link opens. It counts nothing: previews may look.',
        description: '404 for a link that is unknown or was ended, 410 SHARE_EXPIRED or SHARE_USED_UP else.',
        params: OfToken,
        response: { 200: ref(SharedDocumentLook), ...problems(410) },
      },
    },
    async (request) => {
      const share = await findShareOfToken(services, database.client, request.params.token);
      return lookView(openShareOf(services, share));
    },
  );

  app.post(
    '/shared/:token/open',
    {
      config: { access: PUBLIC, audit: audited('DOCUMENT_SHARE_OPENED') },
      schema: {
        operationId: 'documents.open',
        tags: ['Documents'],
        summary: 'Open a link: it counts one view, and gives the content for five minutes.',
        description:
          '403 PASSCODE_REQUIRED or PASSCODE_INCORRECT with `attemptsLeft`: neither counts a view. With the same Idempotency-Key it is the same opening.',
        params: OfToken,
        headers: IdempotencyHeader,
        body: Type.Optional(ShareOpening),
        response: { 200: ref(OpenedDocument), ...problems(403, 409, 410) },
      },
    },
    async (request, reply) => {
      const share = await findShareOfToken(services, database.client, request.params.token);
      const passcode = request.body?.passcode ?? null;
      const opened = await openShare(services, callerOf(request), share, passcode);
      if (opened.isReplayed) reply.header('Idempotency-Replayed', 'true');
      return { contentUrl: `${publicBaseUrl}${opened.contentPath}`, expiresIn: opened.expiresIn };
    },
  );

  app.get(
    '/tickets/:ticket/content',
    {
      exposeHeadRoute: true,
      config: { access: PUBLIC, audit: unaudited('DOCUMENT'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'documents.ticketContent',
        tags: ['Documents'],
        summary: 'The content of what was opened, whole or one range of it, for five minutes.',
        params: OfTicket,
        querystring: ContentQuery,
        response: { ...CONTENT_ANSWERS, ...problems(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const { ticket } = request.params;
      const id = openingNamed(ticket);
      const reading = id && (await findShareReading(database.client, id));
      if (!reading || !isTicketOf(vault, ticket, reading, new Date())) throw new ServiceError('NOT_FOUND');
      const version = await findVersion(database.client, reading.documentId, reading.versionNumber);
      if (!version) throw new ServiceError('NOT_FOUND');
      const fileName = openFileName(vault, version);
      reply.header('X-Robots-Tag', 'noindex');
      const { inline } = request.query;
      return sendContent(services, request, reply, { version, fileName, inline, reading: null });
    },
  );
};
