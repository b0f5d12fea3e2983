import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { allowByCookie, allowUsersWithProfile, auditAs } from '../../../../platform/route-access.ts';
import { html } from '../../../../shared/html.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { generateId } from '../../../../shared/ids.ts';
import {
  createWebhookEndpoint,
  listWebhookEndpoints,
  toWebhookEndpointView,
} from '../../../webhooks/index.ts';
import { renderEmptyState } from '../../components.ts';
import { getFormContext } from '../../form-context.ts';
import { getPermittedFormToken } from '../../form-token.ts';
import { chooseOwnerPageLocale } from '../../layout.ts';
import type { OwnerPageServices } from '../../owner-page-services.ts';
import {
  AccountParams,
  type FormRefusal,
  getDevelopersPath,
  sendSettingsPage,
} from '../../settings/settings-page.ts';
import { sendSecretPage } from '../secret-page.ts';
import {
  findEndpointFormErrors,
  NEW_ENDPOINT_VALUES,
  readEndpointForm,
  renderEndpointForm,
} from './endpoint-form.ts';
import { RECEIVER_SAMPLE } from './receiver-sample.ts';
import {
  describeWebhookRefusal,
  getEndpointTitle,
  getWebhookServices,
  getWebhooksPath,
  translateEndpointState,
  WEBHOOK_PAGE_CONFIG,
} from './webhook-parts.ts';

/** The webhook endpoints of an account, and new ones. */
export const webhookListPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const webhookServices = getWebhookServices(services);
  const getPath = (request: FastifyRequest) => getWebhooksPath(services, request);

  app.get(
    '/webhooks',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const path = getPath(request);
      const rows = await listWebhookEndpoints(database.client, requireAccount(request).id);
      const entries = rows
        .map((row) => toWebhookEndpointView(fieldCipher, row))
        .map(
          (endpoint) =>
            html`<li><div><h2><a href="${path}/${endpoint.id}"><bdi>${getEndpointTitle(endpoint)}</bdi></a></h2><p class="small"><bdi dir="ltr">${endpoint.url}</bdi></p></div><span class="chip">${translateEndpointState(endpoint, locale)}</span></li>\n`,
        );
      const sample = html`<a href="${path}/receiver">${t(locale, 'app.webhooks.receiver')}</a>`;
      return sendSettingsPage(services, request, reply, {
        tab: 'developers',
        title: t(locale, 'app.webhooks.title'),
        body: html`<p>${t(locale, 'app.webhooks.text')}</p>
<p><a class="act" href="${path}/new">${t(locale, 'app.webhooks.new')}</a></p>
${
  entries.length > 0
    ? html`<ul class="cards rows">${entries}</ul><p>${sample}</p>`
    : renderEmptyState(t(locale, 'app.webhooks.empty'), html`<p>${sample}</p>`)
}
<p><a href="${getDevelopersPath(services, requireAccount(request).id)}">${t(locale, 'app.developers.title')}</a></p>`,
      });
    },
  );

  app.get(
    '/webhooks/receiver',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      return sendSettingsPage(services, request, reply, {
        tab: 'developers',
        title: t(locale, 'app.webhooks.receiver'),
        body: html`<p>${t(locale, 'app.webhooks.receiverText')}</p>
<pre dir="ltr">WEBHOOK_SECRET=whsec_… RECEIVER_PORT=4567 node receiver.mjs</pre>
<p class="actions"><button type="button" class="plain" data-script="copy" data-copies="receiver" hidden>${t(locale, 'app.settings.recoveryCodes.copy')}</button></p>
<pre id="receiver" dir="ltr">${RECEIVER_SAMPLE}</pre>
<p><a href="${getPath(request)}">${t(locale, 'app.webhooks.title')}</a></p>`,
      });
    },
  );

  app.get(
    '/webhooks/new',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendForm(request, reply, {}),
  );

  app.post(
    '/webhooks',
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('webhooks:own')),
        audit: auditAs('WEBHOOK_ENDPOINT_CREATED'),
      },
      schema: { hide: true, params: AccountParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { body } = request;
      const locale = chooseOwnerPageLocale(request);
      const input = readEndpointForm(body);
      const errors = findEndpointFormErrors(input, webhookServices);
      if (errors.length > 0) return sendForm(request, reply, { errors });
      const user = requireAuthenticatedUser(request);
      // Sent twice it is created once.
      const context = getFormContext(request, body.key);
      try {
        const { body: created } = await createWebhookEndpoint(webhookServices, context, user, input);
        const path = getPath(request);
        return sendSecretPage(services, request, reply, {
          title: t(locale, 'app.webhooks.secret'),
          text: t(locale, 'app.webhooks.secretText'),
          secret: created.secret,
          more: html`<p><a href="${path}/receiver">${t(locale, 'app.webhooks.receiver')}</a></p>\n`,
          nextPath: `${path}/${created.id}`,
        });
      } catch (error) {
        return sendForm(request, reply, describeWebhookRefusal(error, reply, locale));
      }
    },
  );

  function sendForm(request: FastifyRequest, reply: FastifyReply, refused: FormRefusal): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: t(locale, 'app.webhooks.new'),
      isNarrow: true,
      refused,
      body: renderEndpointForm({
        action: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        submit: t(locale, 'app.webhooks.create'),
        hidden: { key: generateId() },
        values: request.method === 'POST' ? (request.body as Record<string, string>) : NEW_ENDPOINT_VALUES,
        errors: refused.errors ?? [],
        allowsLoopback: webhookServices.allowsLoopback,
        locale,
      }),
    });
  }
};
