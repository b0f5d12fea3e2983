import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { findDocumentVersion } from '../document-version.repository.ts';
import { DOCUMENT_FILE_NAME } from '../encrypted-document-fields.ts';
import { DOCUMENT_CONTENT_RESPONSE_SCHEMAS, sendDocumentContent } from '../send-document-content.ts';
import { accessDocumentShare } from './access-share.ts';
import { InlineContentQuery } from './content-query.schemas.ts';
import { findShareAccess } from './document-access.repository.ts';
import { isDownloadTicketValid, parseDownloadTicketAccessId } from './download-ticket.ts';
import { toSharedDocumentPreview } from './share.view.ts';
import type { DocumentShareServices } from './share-services.ts';
import { findSharedDocumentByToken, requireActiveDocumentShare } from './share-state.ts';
import { ShareAccessRequest, ShareAccessResponse, SharedDocumentPreview } from './shares.schemas.ts';

// No pattern: an invalid token must get the same answer as an unknown one.
const ShareTokenParams = Type.Object({
  token: Type.String({ description: '`token` of the share link.' }),
});
const DownloadTicketParams = Type.Object({
  ticket: Type.String({ description: 'Part of `contentUrl`.' }),
});

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
        operationId: 'documents.getShared',
        tags: ['Documents'],
        summary: 'Preview a share link. This does not count as a view',
        description:
          'Returns title, type and size, and whether a passcode is required. 404 for an unknown or ended link; 410 SHARE_EXPIRED or SHARE_USED_UP.',
        params: ShareTokenParams,
        response: { 200: schemaRef(SharedDocumentPreview), ...createProblemResponseSchemas(410) },
      },
    },
    async (request) => {
      const share = await findSharedDocumentByToken(services, database.client, request.params.token);
      return toSharedDocumentPreview(requireActiveDocumentShare(services, share));
    },
  );

  app.post(
    '/shared/:token/open',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('DOCUMENT_SHARE_OPENED') },
      schema: {
        operationId: 'documents.openShared',
        tags: ['Documents'],
        summary:
          'Open a share link: counts one view, and returns a download URL that is valid for five minutes',
        description:
          '403 PASSCODE_REQUIRED or PASSCODE_INCORRECT (with `attemptsLeft`) do not count as a view. A request with the same Idempotency-Key gets the same response.',
        params: ShareTokenParams,
        headers: IdempotencyKeyHeader,
        body: Type.Optional(ShareAccessRequest),
        response: { 200: schemaRef(ShareAccessResponse), ...createProblemResponseSchemas(403, 409, 410) },
      },
    },
    async (request, reply) => {
      const share = await findSharedDocumentByToken(services, database.client, request.params.token);
      const passcode = request.body?.passcode ?? null;
      const opened = await accessDocumentShare(services, getRequestContext(request), share, passcode);
      if (opened.isReplayed) reply.header('Idempotency-Replayed', 'true');
      return { contentUrl: `${publicBaseUrl}${opened.contentPath}`, expiresIn: opened.expiresIn };
    },
  );

  app.get(
    '/tickets/:ticket/content',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('DOCUMENT'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'documents.getTicketContent',
        tags: ['Documents'],
        summary: 'Download an opened document, or a range of it, for five minutes',
        description:
          'Use the `contentUrl` that POST /api/documents/shared/{token}/open returned. 404 after five minutes, or once the share link is ended. 409 FILE_CHECK_PENDING while the file is checked for malware.',
        params: DownloadTicketParams,
        querystring: InlineContentQuery,
        response: { ...DOCUMENT_CONTENT_RESPONSE_SCHEMAS, ...createProblemResponseSchemas(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const { ticket } = request.params;
      const id = parseDownloadTicketAccessId(ticket);
      const access = id && (await findShareAccess(database.client, id));
      if (!access || !isDownloadTicketValid(fieldCipher, ticket, access, new Date()))
        throw new ServiceError('NOT_FOUND');
      const document = { id: access.documentId, accountId: access.accountId };
      const version = await findDocumentVersion(database.client, document, access.versionNumber);
      if (!version) throw new ServiceError('NOT_FOUND');
      const fileName = DOCUMENT_FILE_NAME.decrypt(fieldCipher, version);
      reply.header('X-Robots-Tag', 'noindex');
      const { inline } = request.query;
      return sendDocumentContent(services, request, reply, { version, fileName, inline, access: null });
    },
  );
};
