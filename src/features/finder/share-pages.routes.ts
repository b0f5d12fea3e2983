import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { t } from '../../shared/i18n/translate.ts';
import { isId } from '../../shared/ids.ts';
import {
  extractShareToken,
  findSharedDocumentByToken,
  requireActiveDocumentShare,
  type SharedDocument,
} from '../documents/index.ts';
import { isBotOrPreviewRequest, toScanVisitor } from '../scans/index.ts';
import { findDocumentShareByCookie, getDocumentSharePath, serializeShareLinkCookie } from './cookies.ts';
import { type FinderServices, getFinderBasePath, getQrCodePagePath } from './finder-services.ts';
import { verifyScanFormToken } from './form-token.ts';
import { findIdParam } from './page-scope.ts';
import { SHARE_LINK_TOKEN_SCRIPT } from './page-scripts.ts';
import {
  sendDocumentSharePage,
  sendPasteShareLinkPage,
  sendSharePreviewPage,
  sendUnavailableSharePage,
} from './share-page.ts';
import { openOfferedDocument, submitShareForm } from './submit-share-form.ts';

// No pattern: an invalid token gets the page for unknown links.
const ShareParams = Type.Object({ share: Type.String() });

const VIEW_CONFIG = { access: PUBLIC_ACCESS, audit: skipAudit('DOCUMENT'), rateLimitClass: 'page' } as const;

/** Viewing a page counts no access; submitting its form does. */
export const sharePageRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database } = services;
  const path = `${getFinderBasePath(services)}/d`;

  app.get('/d', { config: VIEW_CONFIG, schema: { hide: true } }, (request, reply) =>
    sendPasteShareLinkPage(reply, path, choosePageLocale(request)),
  );

  app.post(
    '/d',
    {
      config: VIEW_CONFIG,
      schema: { hide: true, body: Type.Object({ link: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const token = extractShareToken(request.body.link ?? '');
      const share = token && (await findSharedDocumentByToken(services, database.client, token));
      if (share) return redirectToSharePage(request, reply, share);
      const locale = choosePageLocale(request);
      return sendPasteShareLinkPage(reply, path, locale, t(locale, 'sharePage.notFoundText'));
    },
  );

  app.get(
    '/d/token.js',
    { config: { ...VIEW_CONFIG, rateLimitClass: 'static' }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=86400')
        .type('text/javascript; charset=utf-8')
        .send(SHARE_LINK_TOKEN_SCRIPT),
  );

  app.get(
    '/d/:share',
    { config: VIEW_CONFIG, schema: { hide: true, params: ShareParams } },
    async (request, reply) => {
      const { share: idOrToken } = request.params;
      const locale = choosePageLocale(request);
      if (isId(idOrToken)) {
        const share = await findDocumentShareByCookie(services, idOrToken, request.headers.cookie);
        return handleUnavailableShare(reply, request, () =>
          sendDocumentSharePage(services, reply, requireActiveDocumentShare(services, share), locale),
        );
      }
      // The preview is visible to everybody in a chat.
      if (isBotOrPreviewRequest(toScanVisitor(getRequestContext(request)))) {
        return sendSharePreviewPage(reply, path, idOrToken, locale);
      }
      return redirectToSharePage(
        request,
        reply,
        await findSharedDocumentByToken(services, database.client, idOrToken),
      );
    },
  );

  app.post(
    '/d/:share/open',
    {
      config: { ...VIEW_CONFIG, audit: auditAs('DOCUMENT_SHARE_OPENED') },
      schema: {
        hide: true,
        params: ShareParams,
        body: Type.Object({ visit: Type.Optional(Type.String()), passcode: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const share = await findDocumentShareByCookie(services, request.params.share, request.headers.cookie);
      return handleUnavailableShare(reply, request, async () => {
        if (!share) throw new ServiceError('NOT_FOUND');
        return submitShareForm(
          services,
          getRequestContext(request),
          reply,
          share,
          request.body,
          choosePageLocale(request),
        );
      });
    },
  );

  app.post(
    '/:id/documents/:share',
    {
      config: { ...VIEW_CONFIG, audit: auditAs('DOCUMENT_SHARE_OPENED') },
      schema: {
        hide: true,
        params: Type.Object({ id: Type.String(), share: Type.String() }),
        body: Type.Object({ visit: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const codeId = findIdParam(request.params);
      if (!codeId) throw new ServiceError('NOT_FOUND');
      const locale = choosePageLocale(request);
      const scanId = verifyScanFormToken(services.fieldCipher, codeId, request.body.visit);
      // The form expired; the page of the code has a new one.
      if (!scanId) return reply.redirect(`${getQrCodePagePath(services, codeId)}?lang=${locale.tag}`, 303);
      const offer = { codeId, scanId, shareId: request.params.share };
      return handleUnavailableShare(reply, request, () =>
        openOfferedDocument(services, getRequestContext(request), reply, offer, locale),
      );
    },
  );

  /** Redirect, so that the token does not stay in the URL. */
  function redirectToSharePage(request: FastifyRequest, reply: FastifyReply, share: SharedDocument | null) {
    return handleUnavailableShare(reply, request, () => {
      const { id } = requireActiveDocumentShare(services, share);
      const address = `${getDocumentSharePath(services, id)}?lang=${choosePageLocale(request).tag}`;
      return reply
        .header('Set-Cookie', serializeShareLinkCookie(services, id, { by: 'link' }))
        .header('Cache-Control', 'no-store')
        .redirect(address, 303);
    });
  }
};

const UNAVAILABLE_ERROR_CODES: readonly string[] = ['NOT_FOUND', 'SHARE_EXPIRED', 'SHARE_USED_UP'];

async function handleUnavailableShare(
  reply: FastifyReply,
  request: FastifyRequest,
  handler: () => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await handler();
  } catch (error) {
    if (!(error instanceof ServiceError) || !UNAVAILABLE_ERROR_CODES.includes(error.code)) throw error;
    return sendUnavailableSharePage(reply, error, choosePageLocale(request));
  }
}
