import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { createProblemResponses } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { IdempotencyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { findDocumentVersion } from '../document-version.repository.ts';
import { decryptFileName } from '../encrypted-document-fields.ts';
import { CONTENT_RESPONSES, sendDocumentContent } from '../send-document-content.ts';
import { accessShare } from './access-share.ts';
import { SharedContentQuery } from './content-query.schemas.ts';
import { findShareAccess } from './document-access.repository.ts';
import { isDownloadTicketValid, parseTicketAccessId } from './download-ticket.ts';
import { toSharedDocumentPreview } from './share.view.ts';
import type { DocumentShareServices } from './share-services.ts';
import { findShareByPlainToken, requireActiveShare } from './share-state.ts';
import { ShareAccessRequest, ShareAccessResponse, SharedDocumentPreview } from './shares.schemas.ts';

// A text that is no token must get the answer of unknown ones: no pattern here.
const ShareTokenParams = Type.Object({ token: Type.String() });
const DownloadTicketParams = Type.Object({ ticket: Type.String() });

/** Documents for whoever has a link to one. */
export const sharedDocumentRoutes: FastifyPluginAsyncTypebox<DocumentShareServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher, publicBaseUrl } = services;

  app.get(
    '/shared/:token',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('DOCUMENT'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'documents.look',
        tags: ['Documents'],
        summary: 'What a link opens. It counts nothing: previews may look.',
        description: '404 for a link that is unknown or was ended, 410 SHARE_EXPIRED or SHARE_USED_UP else.',
        params: ShareTokenParams,
        response: { 200: schemaRef(SharedDocumentPreview), ...createProblemResponses(410) },
      },
    },
    async (request) => {
      const share = await findShareByPlainToken(services, database.client, request.params.token);
      return toSharedDocumentPreview(requireActiveShare(services, share));
    },
  );

  app.post(
    '/shared/:token/open',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('DOCUMENT_SHARE_OPENED') },
      schema: {
        operationId: 'documents.open',
        tags: ['Documents'],
        summary: 'Open a link: it counts one view, and gives the content for five minutes.',
        description:
          '403 PASSCODE_REQUIRED or PASSCODE_INCORRECT with `attemptsLeft`: neither counts a view. With the same Idempotency-Key it is the same opening.',
        params: ShareTokenParams,
        headers: IdempotencyHeader,
        body: Type.Optional(ShareAccessRequest),
        response: { 200: schemaRef(ShareAccessResponse), ...createProblemResponses(403, 409, 410) },
      },
    },
    async (request, reply) => {
      const share = await findShareByPlainToken(services, database.client, request.params.token);
      const passcode = request.body?.passcode ?? null;
      const opened = await accessShare(services, getRequestContext(request), share, passcode);
      if (opened.isReplayed) reply.header('Idempotency-Replayed', 'true');
      return { contentUrl: `${publicBaseUrl}${opened.contentPath}`, expiresIn: opened.expiresIn };
    },
  );

  app.get(
    '/tickets/:ticket/content',
    {
      exposeHeadRoute: true,
      config: { access: PUBLIC_ACCESS, audit: skipAudit('DOCUMENT'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'documents.ticketContent',
        tags: ['Documents'],
        summary: 'The content of what was opened, whole or one range of it, for five minutes.',
        params: DownloadTicketParams,
        querystring: SharedContentQuery,
        response: { ...CONTENT_RESPONSES, ...createProblemResponses(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const { ticket } = request.params;
      const id = parseTicketAccessId(ticket);
      const reading = id && (await findShareAccess(database.client, id));
      if (!reading || !isDownloadTicketValid(fieldCipher, ticket, reading, new Date()))
        throw new ServiceError('NOT_FOUND');
      const version = await findDocumentVersion(database.client, reading.documentId, reading.versionNumber);
      if (!version) throw new ServiceError('NOT_FOUND');
      const fileName = decryptFileName(fieldCipher, version);
      reply.header('X-Robots-Tag', 'noindex');
      const { inline } = request.query;
      return sendDocumentContent(services, request, reply, { version, fileName, inline, access: null });
    },
  );
};
