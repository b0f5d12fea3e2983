import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { acceptUrlEncodedForms } from '../../platform/pages/form-body.ts';
import { sendLocalizedHtmlPage, sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { html } from '../../shared/html.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import {
  confirmFinderEmailByToken,
  findConversationByConfirmationToken,
} from './confirm-finder-email.use-case.ts';
import type { ConversationServices } from './conversation-services.ts';

const TokenParams = Type.Object({ token: Type.String() });

/** The link in the mail that asks a finder to confirm their address. */
export const confirmEmailRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  acceptUrlEncodedForms(app);
  const config = {
    access: PUBLIC_ACCESS,
    audit: auditAs('FINDER_EMAIL_CONFIRMED'),
    rateLimitClass: 'page',
  } as const;

  app.get(
    '/confirm-email/:token',
    { config, schema: { hide: true, params: TokenParams } },
    async (request, reply) => {
      const row = await findConversationByConfirmationToken(services, request.params.token);
      if (!row) return sendLocalizedMessagePage(reply, createInvalidLinkPage(choosePageLocale(request)));
      const locale = toSupportedLocale(row.finderLanguage);
      const title = t(locale, 'conversation.confirmTitle');
      const body = html`<h1>${title}</h1>
<p>${t(locale, 'conversation.confirmText')}</p>
<form method="post"><button>${t(locale, 'conversation.confirmButton')}</button></form>`;
      return sendLocalizedHtmlPage(reply, { status: 200, locale, title, body, address: null });
    },
  );

  app.post(
    '/confirm-email/:token',
    { config, schema: { hide: true, params: TokenParams } },
    async (request, reply) => {
      const row = await confirmFinderEmailByToken(services, getRequestContext(request), request.params.token);
      if (!row) return sendLocalizedMessagePage(reply, createInvalidLinkPage(choosePageLocale(request)));
      const locale = toSupportedLocale(row.finderLanguage);
      const title = t(locale, 'conversation.confirmDone');
      const text = t(locale, 'conversation.sentMail');
      return sendLocalizedMessagePage(reply, { status: 200, locale, title, text, address: null });
    },
  );
};

function createInvalidLinkPage(locale: Locale) {
  return {
    status: 404,
    locale,
    title: t(locale, 'mails.unsubscribe.invalidTitle'),
    text: t(locale, 'mails.unsubscribe.invalidText'),
    address: null,
  };
}
