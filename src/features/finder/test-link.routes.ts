import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { sendLocalizedHtmlPage, sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findTestLinkCodeId, openTestLink } from '../codes/index.ts';
import { type FinderServices, getFinderBasePath } from './finder-services.ts';
import { createOwnerPhoneCookie, readOwnerPhoneCookie } from './owner-phone-cookie.ts';

const TestLinkParams = Type.Object({ token: Type.String() });

interface TestLinkRoute {
  Params: Static<typeof TestLinkParams>;
}

const TEST_LINK_CONFIG = { access: PUBLIC_ACCESS, rateLimitClass: 'page' } as const;

/** The button behind the link marks a phone as its owner's: a link alone can be opened by any other page. */
export const ownerTestLinkRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const scope = { path: getFinderBasePath(services), secure: services.publicBaseUrl.startsWith('https:') };

  app.get(
    '/test/:token',
    {
      config: { ...TEST_LINK_CONFIG, audit: skipAudit('QRCODE') },
      schema: { hide: true, params: TestLinkParams },
    },
    async (request, reply) => {
      const locale = choosePageLocale(request);
      if ((await findTestLinkCodeId(database.client, request.params.token)) === null)
        return sendEndedPage(reply, locale);
      const title = t(locale, 'finder.testLinkConfirmTitle');
      return sendLocalizedHtmlPage(reply, {
        status: 200,
        locale,
        address: null,
        title,
        body: html`<h1>${title}</h1>
<p>${t(locale, 'finder.testLinkConfirmText')}</p>
<form method="post" action="${scope.path}/test/${encodeURIComponent(request.params.token)}?lang=${locale.tag}">
<button>${t(locale, 'finder.testLinkConfirmButton')}</button></form>`,
      });
    },
  );

  app.post(
    '/test/:token',
    {
      config: { ...TEST_LINK_CONFIG, audit: auditAs('QRCODE_TEST_LINK_USED') },
      schema: { hide: true, params: TestLinkParams },
    },
    markPhone,
  );

  async function markPhone(
    request: FastifyRequest<TestLinkRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const marked = readOwnerPhoneCookie(services, request.headers.cookie);
    const link = await openTestLink(database, getRequestContext(request), request.params.token, marked);
    if (!link) return sendEndedPage(reply, choosePageLocale(request));
    return reply
      .header('Set-Cookie', createOwnerPhoneCookie(fieldCipher, link, scope))
      .header('Cache-Control', 'no-store')
      .redirect(`${scope.path}/${link.qrCodeId}`, 303);
  }
};

function sendEndedPage(reply: FastifyReply, locale: Locale): FastifyReply {
  return sendLocalizedMessagePage(reply, {
    status: 404,
    locale,
    address: null,
    title: t(locale, 'finder.testLinkTitle'),
    text: t(locale, 'finder.testLinkText'),
  });
}
