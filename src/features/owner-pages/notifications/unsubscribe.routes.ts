import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  findRecipientLocale,
  findUnsubscribeTarget,
  translateMailKind,
  unsubscribe,
} from '../../notifications/index.ts';
import { renderForm } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from '../sign-in.routes.ts';

const TokenParams = Type.Object({ token: Type.String() });

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** Where the link below a mail leads to: its token replaces a sign-in. */
export const unsubscribePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/unsubscribe/:token',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, params: TokenParams },
    },
    async (request, reply) => {
      const found = await findTarget(request);
      if (!found) return sendInvalidLink(request, reply);
      const { locale, kind } = found;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'mails.unsubscribe.title'),
        isNarrow: true,
        locale,
        body: html`<p>${kind}</p>
${renderForm({
  action: `${getOwnerPagesPath(services)}/unsubscribe/${request.params.token}`,
  token: getFormToken(services, request, reply),
  submit: t(locale, 'mails.unsubscribe.button'),
})}`,
      });
    },
  );

  app.post(
    '/unsubscribe/:token',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: auditAs('MAILS_UNSUBSCRIBED') },
      schema: { hide: true, params: TokenParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const found = await findTarget(request);
      if (!found) return sendInvalidLink(request, reply);
      const { target, locale, kind } = found;
      await unsubscribe(database, getRequestContext(request), target);
      const path = `${getAccountPath(services, target.userId)}/settings/notifications`;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'mails.unsubscribe.doneTitle'),
        isNarrow: true,
        locale,
        body: html`<p role="status">${t(locale, 'mails.unsubscribe.done')} ${kind}</p>
<p><a class="act plain" href="${path}">${t(locale, 'app.settings.notifications')}</a></p>`,
      });
    },
  );

  /** Mails to a finder have pages of their own. */
  async function findTarget({ params }: TokenRequest) {
    const target = findUnsubscribeTarget(fieldCipher, params.token);
    if (!target || target.conversationId !== undefined) return null;
    const locale = await findRecipientLocale(database.client, target);
    return { target, locale, kind: translateMailKind(target, locale) };
  }

  function sendInvalidLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    return sendOwnerPage(services, request, reply, {
      status: 404,
      title: t(locale, 'mails.unsubscribe.invalidTitle'),
      isNarrow: true,
      body: html`<p>${t(locale, 'mails.unsubscribe.invalidText')}</p>`,
    });
  }
};
