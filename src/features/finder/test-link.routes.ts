import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { sendLocalizedHtmlPage, sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { consumeTestLink } from '../codes/index.ts';
import { isBotOrPreviewRequest, toScanVisitor } from '../scans/index.ts';
import { createOwnerPhoneCookie } from './cookies.ts';
import { type FinderServices, getFinderBasePath } from './finder-services.ts';

const TestLinkParams = Type.Object({ token: Type.String() });

interface TestLinkRoute {
  Params: Static<typeof TestLinkParams>;
}

const TEST_LINK_CONFIG = {
  access: PUBLIC_ACCESS,
  audit: auditAs('QRCODE_TEST_LINK_USED'),
  rateLimitClass: 'page',
} as const;

/** The link marks a phone as its owner's. */
export const ownerTestLinkRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const scope = { path: getFinderBasePath(services), secure: services.publicBaseUrl.startsWith('https:') };

  app.get(
    '/test/:token',
    {
      exposeHeadRoute: true,
      config: TEST_LINK_CONFIG,
      schema: { hide: true, params: TestLinkParams },
    },
    (request, reply) => {
      // HEAD requests and link previews must not consume the link.
      if (request.method === 'HEAD') return reply.code(204).send();
      return isBotOrPreviewRequest(toScanVisitor(getRequestContext(request)))
        ? sendConfirmationPage(request, reply)
        : markPhone(request, reply);
    },
  );

  app.post(
    '/test/:token',
    { config: TEST_LINK_CONFIG, schema: { hide: true, params: TestLinkParams } },
    markPhone,
  );

  /** A person whose browser looks like a bot can continue with the button. */
  function sendConfirmationPage(request: FastifyRequest<TestLinkRoute>, reply: FastifyReply): FastifyReply {
    const locale = choosePageLocale(request);
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
  }

  async function markPhone(
    request: FastifyRequest<TestLinkRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const link = await database.transaction(async (tx) => {
      const consumed = await consumeTestLink(tx, request.params.token);
      if (consumed) await recordAuditEntry(tx, getRequestContext(request), { resourceId: consumed.qrCodeId });
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
  }
};
