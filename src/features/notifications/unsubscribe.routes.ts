import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Database, Db } from '../../platform/database.ts';
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
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { formatMessage, isKnownMessageKey } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findConversation, REPLY_MAIL_KIND } from '../conversations/index.ts';
import { findUser } from '../identity/index.ts';
import { verifyMailUnsubscribeToken } from '../mail/index.ts';
import { REPORT_MAIL_KIND } from '../scans/index.ts';
import { isChannelConfigurable, isConfigurableEvent } from './notification-kinds.rules.ts';
import { type UnsubscribeTarget, unsubscribe } from './unsubscribe.use-case.ts';

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
      const locale = await getRecipientLocale(database.client, target);
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
      const locale = await getRecipientLocale(database.client, target);
      await unsubscribe(database, getRequestContext(request), target);
      const title = t(locale, 'mails.unsubscribe.doneTitle');
      const text = `${t(locale, 'mails.unsubscribe.done')} ${translateMailKind(target, locale)}`;
      return sendLocalizedMessagePage(reply, { status: 200, locale, title, text, address: null });
    },
  );
};

/** Find the mails that a token unsubscribes from; null for an invalid token or fixed mails. */
function findUnsubscribeTarget(fieldCipher: FieldCipher, token: string): UnsubscribeTarget | null {
  const subject = verifyMailUnsubscribeToken(fieldCipher, token);
  if (!subject) return null;
  const { subjectId, mailKind } = subject;
  if (mailKind === REPLY_MAIL_KIND) return { conversationId: subjectId };
  if (mailKind === REPORT_MAIL_KIND) return { userId: subjectId, event: mailKind };
  return isConfigurableEvent(mailKind) && isChannelConfigurable(mailKind, 'EMAIL')
    ? { userId: subjectId, event: mailKind }
    : null;
}

function translateMailKind(target: UnsubscribeTarget, locale: Locale): string {
  const name = target.conversationId === undefined ? target.event : REPLY_MAIL_KIND;
  const key = `mails.unsubscribe.kinds.${name}`;
  return isKnownMessageKey(key)
    ? t(locale, 'mails.unsubscribe.kind', { kind: formatMessage(locale, key) })
    : '';
}

async function getRecipientLocale(db: Db, target: UnsubscribeTarget) {
  if (target.conversationId === undefined)
    return toSupportedLocale((await findUser(db, target.userId))?.language ?? 'en');
  return toSupportedLocale((await findConversation(db, target.conversationId))?.finderLanguage ?? 'en');
}
