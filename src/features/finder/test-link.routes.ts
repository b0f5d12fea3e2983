import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { t } from '../../shared/i18n/translate.ts';
import { consumeTestLink } from '../codes/index.ts';
import { isBotOrPreviewRequest, toScanVisitor } from '../scans/index.ts';
import { createOwnerPhoneCookie } from './cookies.ts';
import { type FinderServices, getFinderBasePath } from './finder-services.ts';

/** The link marks a phone as its owner's. */
export const ownerTestLinkRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const scope = { path: getFinderBasePath(services), secure: services.publicBaseUrl.startsWith('https:') };

  app.get(
    '/test/:token',
    {
      exposeHeadRoute: true,
      config: { access: PUBLIC_ACCESS, audit: auditAs('QRCODE_TEST_LINK_USED'), rateLimitClass: 'page' },
      schema: { hide: true, params: Type.Object({ token: Type.String() }) },
    },
    async (request, reply) => {
      // HEAD requests and link previews must not consume the link.
      if (request.method === 'HEAD') return reply.code(204).send();
      if (isBotOrPreviewRequest(toScanVisitor(getRequestContext(request)))) {
        const locale = choosePageLocale(request);
        return sendLocalizedMessagePage(reply, {
          status: 200,
          locale,
          address: null,
          title: t(locale, 'finder.previewTitle'),
          text: t(locale, 'finder.previewText'),
        });
      }
      const link = await database.transaction(async (tx) => {
        const consumed = await consumeTestLink(tx, request.params.token);
        if (consumed)
          await recordAuditEntry(tx, getRequestContext(request), { resourceId: consumed.qrCodeId });
        return consumed;
      });
      if (!link) {
        const locale = choosePageLocale(request);
        return sendLocalizedMessagePage(reply, {
          status: 404,
          locale,
          address: null,
          title: t(locale, 'finder.testLinkTitle'),
          text: t(locale, 'finder.testLinkText'),
        });
      }
      return reply
        .header('Set-Cookie', createOwnerPhoneCookie(fieldCipher, link, scope))
        .header('Cache-Control', 'no-store')
        .redirect(`${scope.path}/${link.qrCodeId}`, 303);
    },
  );
};
