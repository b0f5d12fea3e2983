import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { clearBrowserCache } from '../../../platform/http/security-headers.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { requireRecentLogin } from '../../identity/index.ts';
import { eraseAccount, reauthenticateUser } from '../../personal-data/index.ts';
import { expireCookies } from '../begin-session.ts';
import { renderForm } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import {
  ACCOUNT_ACCESS,
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  hasPassword,
  renderCurrentPassword,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

/** Erasing an account. There is no undo: the page says what happens. */
export const erasurePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/data/erase',
    { config: SETTINGS_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendErasurePage(request, reply),
  );

  app.post(
    '/data/erase',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('ACCOUNT_ERASED'), rateLimitClass: 'auth' },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({
          password: Type.Optional(Type.String()),
          understood: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { password, understood } = request.body;
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      if (understood !== 'yes') {
        const errors = [{ field: 'understood', code: 'REQUIRED', message: '' }];
        return sendErasurePage(request, reply, { errors });
      }
      try {
        const provenHash = await reauthenticateUser(services, context, user, password);
        await eraseAccount(services, context, user, provenHash);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const fields = {
          CREDENTIALS_INVALID: { field: 'password', code: 'WRONG_PASSWORD' },
          VALIDATION_FAILED: { field: 'password', code: 'REQUIRED' },
        };
        const texts = {
          LAST_OWNER: t(locale, 'app.settings.erase.lastOwner'),
          LAST_ADMINISTRATOR: t(locale, 'app.settings.erase.lastAdministrator'),
          CONFLICT: t(locale, 'app.settings.erase.conflict'),
        };
        return sendErasurePage(request, reply, describeRefusal(error, reply, locale, fields, texts));
      }
      expireCookies(services, reply);
      clearBrowserCache(reply);
      return reply.redirect(`${getOwnerPagesPath(services)}/sign-in?reason=erased`, 303);
    },
  );

  async function sendErasurePage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const withPassword = await hasPassword(services, request);
    if (!withPassword) await requireRecentLogin(services.database.client, requireAuthenticatedUser(request));
    const { errors = [] } = refused;
    const error = errors.find(({ field }) => field === 'understood');
    return sendSettingsPage(services, request, reply, {
      tab: 'data',
      title: t(locale, 'app.settings.erase'),
      hasTabs: true,
      isNarrow: true,
      refused,
      body: html`<p>${t(locale, 'app.settings.erase.text')}</p>
<ul><li>${t(locale, 'app.settings.erase.codes')}</li><li>${t(locale, 'app.settings.erase.files')}</li><li>${t(locale, 'app.settings.erase.subscription')}</li><li>${t(locale, 'app.settings.erase.address')}</li></ul>
<p>${t(locale, 'app.settings.erase.exportFirst')} <a href="${getSettingsPath(services, request)}/data">${t(locale, 'app.settings.export')}</a></p>
${renderForm({
  action: `${getSettingsPath(services, request)}/data/erase`,
  token: getFormToken(services, request, reply),
  submit: t(locale, 'app.settings.erase.button'),
  kind: 'danger',
  fields: html`${withPassword && renderCurrentPassword(request, errors, locale)}<label class="choice"><input type="checkbox" id="understood" name="understood" value="yes" required${error && html` aria-invalid="true" aria-describedby="understood-error"`}>${t(locale, 'app.settings.erase.understood')}</label>${error && html`<p class="error" id="understood-error">${t(locale, 'app.error.required')}</p>`}`,
})}`,
    });
  }
};
