import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { t } from '../../shared/i18n/translate.ts';
import { isId } from '../../shared/ids.ts';
import type { SharedDocument } from '../document-shares/share.repository.ts';
import { findShareByPlainToken, requireActiveShare } from '../document-shares/share-state.ts';
import { findShareToken } from '../document-shares/share-token.ts';
import { isRobot } from '../scans/scan-class.rules.ts';
import { visitorOf } from '../scans/visitor.ts';
import { codePath, type FinderServices, finderPath } from './finder-services.ts';
import { scanOfForm } from './form-token.ts';
import { openOffered, openSharedPage } from './open-shared-page.ts';
import { sendMessage } from './page-frame.ts';
import { choosePageLocale } from './page-locale.ts';
import { idIn } from './page-scope.ts';
import { findShareByPass, passCookie, sharePath } from './share-cookie.ts';
import { sendClosedShare, sendPastePage, sendSharePage } from './share-page.ts';
import { TOKEN_SCRIPT } from './token-script.ts';

// What is neither id nor token must get the page of unknown links: no pattern here.
const OfOneShare = Type.Object({ share: Type.String() });

const LOOK = { access: PUBLIC_ACCESS, audit: skipAudit('DOCUMENT'), rateLimitClass: 'page' } as const;

/** The pages of links to documents. Looking at one counts nothing; its button opens. */
export const sharePages: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database } = services;
  const path = `${finderPath(services)}/d`;

  app.get('/d', { config: LOOK, schema: { hide: true } }, (request, reply) =>
    sendPastePage(reply, path, choosePageLocale(request)),
  );

  app.post(
    '/d',
    {
      config: LOOK,
      schema: { hide: true, body: Type.Object({ link: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const token = findShareToken(request.body.link ?? '');
      const share = token && (await findShareByPlainToken(services, database.client, token));
      if (share) return toPage(request, reply, share);
      const locale = choosePageLocale(request);
      return sendPastePage(reply, path, locale, t(locale, 'sharePage.notFoundText'));
    },
  );

  app.get(
    '/d/token.js',
    { config: { ...LOOK, rateLimitClass: 'static' }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=86400')
        .type('text/javascript; charset=utf-8')
        .send(TOKEN_SCRIPT),
  );

  app.get(
    '/d/:share',
    { config: LOOK, schema: { hide: true, params: OfOneShare } },
    async (request, reply) => {
      const { share: idOrToken } = request.params;
      const locale = choosePageLocale(request);
      if (isId(idOrToken)) {
        const share = await findShareByPass(services, idOrToken, request.headers.cookie);
        return orClosed(reply, request, () =>
          sendSharePage(services, reply, requireActiveShare(services, share), locale),
        );
      }
      // What a messenger makes of it goes to everybody whom the link is sent to.
      if (isRobot(visitorOf(getRequestContext(request)))) {
        return sendMessage(reply, {
          status: 200,
          locale,
          address: null,
          isOfDocument: true,
          title: t(locale, 'sharePage.title'),
          text: t(locale, 'sharePage.text'),
        });
      }
      return toPage(request, reply, await findShareByPlainToken(services, database.client, idOrToken));
    },
  );

  app.post(
    '/d/:share/open',
    {
      config: { ...LOOK, audit: auditAs('DOCUMENT_SHARE_OPENED') },
      schema: {
        hide: true,
        params: OfOneShare,
        body: Type.Object({ visit: Type.Optional(Type.String()), passcode: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const share = await findShareByPass(services, request.params.share, request.headers.cookie);
      return orClosed(reply, request, async () => {
        if (!share) throw new ServiceError('NOT_FOUND');
        return openSharedPage(
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
      config: { ...LOOK, audit: auditAs('DOCUMENT_SHARE_OPENED') },
      schema: {
        hide: true,
        params: Type.Object({ id: Type.String(), share: Type.String() }),
        body: Type.Object({ visit: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const codeId = idIn(request.params);
      if (!codeId) throw new ServiceError('NOT_FOUND');
      const locale = choosePageLocale(request);
      const scanId = scanOfForm(services.fieldCipher, codeId, request.body.visit);
      // A form that was open for too long: the code's own page has new ones.
      if (!scanId) return reply.redirect(`${codePath(services, codeId)}?lang=${locale.tag}`, 303);
      const offer = { codeId, scanId, shareId: request.params.share };
      return orClosed(reply, request, () =>
        openOffered(services, getRequestContext(request), reply, offer, locale),
      );
    },
  );

  /** The token is in the address no longer than it takes to come here. */
  function toPage(request: FastifyRequest, reply: FastifyReply, found: SharedDocument | null) {
    return orClosed(reply, request, () => {
      const { id } = requireActiveShare(services, found);
      const address = `${sharePath(services, id)}?lang=${choosePageLocale(request).tag}`;
      return reply
        .header('Set-Cookie', passCookie(services, id, { by: 'link' }))
        .header('Cache-Control', 'no-store')
        .redirect(address, 303);
    });
  }
};

const CLOSED: readonly string[] = ['NOT_FOUND', 'SHARE_EXPIRED', 'SHARE_USED_UP'];

/** What `work` answers, or the page of a share that cannot be opened. */
async function orClosed(
  reply: FastifyReply,
  request: FastifyRequest,
  work: () => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || !CLOSED.includes(error.code)) throw error;
    return sendClosedShare(reply, error, choosePageLocale(request));
  }
}
