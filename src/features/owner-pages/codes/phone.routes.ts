import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createTestLink, findTestLinkCodeId, getOwnQrCode } from '../../codes/index.ts';
import { addFirstStep } from '../../identity/index.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS, CODE_FORM_ACCESS, CodeParams } from './code-actions.ts';
import { getCodePath, getCodeTabTitle, renderLocalNote } from './code-parts.ts';
import { createPhonePage, getPhoneState } from './phone-page.ts';
import { readPhoneScans } from './phone-scans.ts';

const PhoneForm = Type.Object({
  link: Type.Optional(Type.String()),
  /** From the page that prints. */
  printed: Type.Optional(Type.String()),
});

type CodeRequest = FastifyRequest<{ Params: Static<typeof CodeParams> }>;

/** The first scan with one's own phone: a code on the screen marks the phone, and the page says when it scanned. */
export const phonePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, publicBaseUrl } = services;

  app.get(
    '/:accountId/codes/:id/phone',
    {
      config: { access: CODE_FORM_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => sendPhonePage(request, reply, null),
  );

  // What the script compares to learn whether a phone has scanned.
  app.get(
    '/:accountId/codes/:id/phone/updates',
    {
      config: { access: CODE_FORM_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'read' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      await getOwnQrCode(database.client, request.params);
      const state = getPhoneState(await readPhoneScans(services, request.params));
      return reply.header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send(state);
    },
  );

  app.post(
    '/:accountId/codes/:id/phone',
    {
      config: { access: CODE_ACCESS, audit: auditAs('QRCODE_TEST_LINK_CREATED') },
      schema: { hide: true, params: CodeParams, body: PhoneForm },
    },
    async (request, reply) => {
      const { link, printed } = request.body;
      if (printed !== undefined)
        await addFirstStep(database.client, requireAuthenticatedUser(request).id, 'PRINTED');
      // The link is in no address, and stored as a hash: the form has it while it works.
      if (link === undefined) {
        const { body } = await createTestLink(services, getRequestContext(request), request.params);
        return sendPhonePage(request, reply, body.url);
      }
      if ((await findTestLinkCodeId(database.client, link)) === request.params.id)
        return sendPhonePage(request, reply, `${publicBaseUrl}/s/test/${link}`);
      return reply.redirect(`${getCodePath(services, request.params)}/phone`, 303);
    },
  );

  async function sendPhonePage(
    request: CodeRequest,
    reply: FastifyReply,
    url: string | null,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const code = await getOwnQrCode(database.client, request.params);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.phone.title'),
      tabTitle: getCodeTabTitle(code, locale),
      entry: 'codes',
      body: html`${renderLocalNote(services, locale)}${createPhonePage({
        code,
        path: getCodePath(services, request.params),
        token: getPermittedFormToken(services, request, reply),
        url,
        scans: await readPhoneScans(services, request.params),
        timeZone: requireAuthenticatedUser(request).timeZone,
        locale,
      })}`,
    });
  }
};
