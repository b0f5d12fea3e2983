import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { acceptUrlEncodedForms } from '../../platform/pages/form-body.ts';
import { ONE_CLICK_FIELD, OneClickBody } from '../../platform/pages/one-click.ts';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { changeMailSuppression } from './change-suppression.use-case.ts';
import { isMailSuppressed } from './suppression.repository.ts';
import { verifySuppressionToken } from './suppression-token.ts';

const TokenParams = Type.Object({ token: Type.String() });
/** The same link takes it back. */
const AllowBody = Type.Object({ allow: Type.Literal('true') });

/** Routes of the link that stops all mails which anybody can cause by typing an address (one-click: RFC 8058). */
export const suppressionRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
}> = async (app, { database, fieldCipher }) => {
  acceptUrlEncodedForms(app);
  const config = {
    access: PUBLIC_ACCESS,
    audit: auditAs('MAILS_SUPPRESSED'),
    rateLimitClass: 'page',
    form: { files: {} },
  } as const;

  app.get(
    '/suppress/:token',
    { config, schema: { hide: true, params: TokenParams } },
    async (request, reply) => {
      const recipientHash = requireRecipientHash(request.params.token);
      return sendPage(request, reply, await isMailSuppressed(database.client, recipientHash));
    },
  );

  app.post(
    '/suppress/:token',
    { config, schema: { hide: true, params: TokenParams, body: Type.Union([OneClickBody, AllowBody]) } },
    async (request, reply) => {
      const recipientHash = requireRecipientHash(request.params.token);
      const isAllowed = 'allow' in request.body;
      await changeMailSuppression(database, getRequestContext(request), recipientHash, isAllowed);
      return sendPage(request, reply, !isAllowed);
    },
  );

  /** @throws NOT_FOUND */
  function requireRecipientHash(token: string): Buffer<ArrayBuffer> {
    const recipientHash = verifySuppressionToken(fieldCipher, token);
    if (!recipientHash) throw new ServiceError('NOT_FOUND');
    return recipientHash;
  }
};

function sendPage(request: FastifyRequest, reply: FastifyReply, isSuppressed: boolean): FastifyReply {
  const locale = choosePageLocale(request);
  const title = t(locale, isSuppressed ? 'mails.suppression.stopped' : 'mails.suppression.title');
  const field = isSuppressed ? html`<input type="hidden" name="allow" value="true">` : ONE_CLICK_FIELD;
  const body = html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>
<p>${t(locale, 'mails.suppression.text')}</p></div>
<form method="post">${field}<button>${t(locale, isSuppressed ? 'mails.suppression.allowButton' : 'mails.unsubscribe.button')}</button></form>`;
  return sendLocalizedHtmlPage(reply, { status: 200, locale, title, body, address: null });
}
