import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { acceptUrlEncodedForms } from '../../platform/pages/form-body.ts';
import { ONE_CLICK_FIELD, OneClickBody } from '../../platform/pages/one-click.ts';
import {
  sendInvalidLinkPage,
  sendLocalizedHtmlPage,
  sendLocalizedMessagePage,
} from '../../platform/pages/page-frame.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { unsubscribe } from './unsubscribe.use-case.ts';
import { findRecipientLocale, findUnsubscribeTarget, translateMailKind } from './unsubscribe-target.ts';

const TokenParams = Type.Object({ token: Type.String() });

/** Routes of the unsubscribe link in mails: a confirmation page, and one-click unsubscribe (RFC 8058). */
export const mailUnsubscribeRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
}> = async (app, { database, fieldCipher }) => {
  acceptUrlEncodedForms(app);
  const config = {
    access: PUBLIC_ACCESS,
    audit: auditAs('MAILS_UNSUBSCRIBED'),
    rateLimitClass: 'page',
    form: { files: {} },
  } as const;

  app.get(
    '/unsubscribe/:token',
    { config, schema: { hide: true, params: TokenParams } },
    async (request, reply) => {
      const target = findUnsubscribeTarget(fieldCipher, request.params.token);
      if (!target) return sendInvalidLinkPage(request, reply, 'mails.unsubscribe.invalidText');
      const locale = await findRecipientLocale(database.client, target);
      const title = t(locale, 'mails.unsubscribe.title');
      const body = html`<h1>${title}</h1>
<p>${translateMailKind(target, locale)}</p>
<form method="post">${ONE_CLICK_FIELD}<button>${t(locale, 'mails.unsubscribe.button')}</button></form>`;
      return sendLocalizedHtmlPage(reply, { status: 200, locale, title, body, address: null });
    },
  );

  app.post(
    '/unsubscribe/:token',
    { config, schema: { hide: true, params: TokenParams, body: OneClickBody } },
    async (request, reply) => {
      const target = findUnsubscribeTarget(fieldCipher, request.params.token);
      if (!target) return sendInvalidLinkPage(request, reply, 'mails.unsubscribe.invalidText');
      const locale = await findRecipientLocale(database.client, target);
      await unsubscribe(database, getRequestContext(request), target);
      const title = t(locale, 'mails.unsubscribe.doneTitle');
      const text = `${t(locale, 'mails.unsubscribe.done')} ${translateMailKind(target, locale)}`;
      return sendLocalizedMessagePage(reply, { status: 200, locale, title, text, address: null });
    },
  );
};
