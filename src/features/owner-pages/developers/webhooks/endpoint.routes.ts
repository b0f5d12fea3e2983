import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../../platform/http/if-match.ts';
import { getRequestContext } from '../../../../platform/request-context.ts';
import { auditAs } from '../../../../platform/route-access.ts';
import { DAY_SECONDS } from '../../../../shared/durations.ts';
import { html } from '../../../../shared/html.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import {
  changeWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  verifyWebhookEndpoint,
} from '../../../webhooks/index.ts';
import { getPermittedFormToken } from '../../form-token.ts';
import { chooseOwnerPageLocale } from '../../layout.ts';
import type { OwnerPageServices } from '../../owner-page-services.ts';
import { type FormRefusal, redirectWithDone, sendSettingsPage } from '../../settings/settings-page.ts';
import { OVERLAP_SECONDS } from '../api-key-pages.ts';
import { sendSecretPage } from '../secret-page.ts';
import { DeliveryListQuery, renderDeliveryList } from './delivery-list.ts';
import {
  areSamePatterns,
  findEndpointFormErrors,
  readEndpointForm,
  renderEndpointForm,
  toEndpointFormValues,
} from './endpoint-form.ts';
import { renderDeletion, renderEndpoint, renderRotation } from './endpoint-page.ts';
import {
  describeWebhookRefusal,
  EndpointParams,
  type EndpointRequest,
  getEndpointPath,
  getEndpointTitle,
  getOwnEndpoint,
  getWebhookServices,
  getWebhooksPath,
  WEBHOOK_ACCESS,
  WEBHOOK_PAGE_CONFIG,
  type WebhookEndpointView,
} from './webhook-parts.ts';

const FormBody = Type.Record(Type.String(), Type.String());

/** One webhook endpoint: its state, and everything that changes it. */
export const webhookPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const webhookServices = getWebhookServices(services);
  const getPath = (request: EndpointRequest) => getEndpointPath(services, request);
  const getKey = ({ params }: EndpointRequest) => ({ accountId: params.accountId, id: params.endpointId });

  app.get(
    '/webhooks/:endpointId',
    {
      config: WEBHOOK_PAGE_CONFIG,
      schema: { hide: true, params: EndpointParams, querystring: DeliveryListQuery },
    },
    async (request, reply) => sendEndpoint(request, reply),
  );

  app.get(
    '/webhooks/:endpointId/edit',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: EndpointParams } },
    async (request, reply) => {
      const endpoint = await getOwnEndpoint(services, request);
      return sendForm(request, reply, endpoint, toEndpointFormValues(endpoint));
    },
  );

  app.post(
    '/webhooks/:endpointId/edit',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_UPDATED') },
      schema: { hide: true, params: EndpointParams, body: FormBody },
    },
    async (request, reply) => {
      const { body, params } = request;
      const before = await getOwnEndpoint(services, request);
      const input = readEndpointForm(body);
      const errors = findEndpointFormErrors(input, webhookServices);
      if (errors.length > 0) return sendForm(request, reply, before, body, { errors });
      const change = areSamePatterns(input.eventTypes, before.eventTypes)
        ? { url: input.url, include: input.include, description: input.description }
        : input;
      const user = requireAuthenticatedUser(request);
      const ifMatch = formatVersionEtag(Number(body.version));
      try {
        const context = getRequestContext(request);
        await changeWebhookEndpoint(webhookServices, context, user, params.endpointId, change, ifMatch);
      } catch (error) {
        const refused = describeWebhookRefusal(error, reply, chooseOwnerPageLocale(request));
        return sendForm(request, reply, await getOwnEndpoint(services, request), body, refused);
      }
      return redirectWithDone(reply, getPath(request), 'webhook-saved');
    },
  );

  app.post(
    '/webhooks/:endpointId/pause',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_UPDATED') },
      schema: { hide: true, params: EndpointParams, body: FormBody },
    },
    async (request, reply) => {
      await setEnabled(request, false);
      return redirectWithDone(reply, getPath(request), 'webhook-paused');
    },
  );

  app.post(
    '/webhooks/:endpointId/resume',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_UPDATED') },
      schema: { hide: true, params: EndpointParams, body: FormBody },
    },
    async (request, reply) => {
      await setEnabled(request, true);
      return redirectWithDone(reply, getPath(request), 'webhook-resumed');
    },
  );

  app.post(
    '/webhooks/:endpointId/verify',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_VERIFIED') },
      schema: { hide: true, params: EndpointParams, body: FormBody },
    },
    async (request, reply) => {
      const challenge = request.body.challenge?.trim() ?? '';
      if (challenge === '')
        return sendEndpoint(request, reply, {
          errors: [{ field: 'challenge', code: 'REQUIRED', message: '' }],
        });
      try {
        const context = getRequestContext(request);
        await verifyWebhookEndpoint(webhookServices, context, getKey(request), challenge, undefined);
      } catch (error) {
        const fields = { WEBHOOK_CHALLENGE_INCORRECT: { field: 'challenge', code: 'WRONG_CHALLENGE' } };
        const locale = chooseOwnerPageLocale(request);
        return sendEndpoint(request, reply, describeWebhookRefusal(error, reply, locale, fields));
      }
      return redirectWithDone(reply, getPath(request), 'webhook-verified');
    },
  );

  app.get(
    '/webhooks/:endpointId/secret',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: EndpointParams } },
    async (request, reply) => {
      await getOwnEndpoint(services, request);
      const locale = chooseOwnerPageLocale(request);
      return sendSettingsPage(services, request, reply, {
        tab: 'developers',
        title: t(locale, 'app.webhooks.rotate'),
        isNarrow: true,
        body: renderRotation({
          path: getPath(request),
          token: getPermittedFormToken(services, request, reply),
          locale,
        }),
      });
    },
  );

  app.post(
    '/webhooks/:endpointId/secret',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_SECRET_ROTATED') },
      schema: { hide: true, params: EndpointParams, body: FormBody },
    },
    async (request, reply) => {
      const { overlap } = request.body;
      const overlapSeconds = OVERLAP_SECONDS.find((seconds) => String(seconds) === overlap) ?? DAY_SECONDS;
      const key = getKey(request);
      const context = getRequestContext(request);
      const { secret } = await rotateWebhookSecret(webhookServices, context, key, overlapSeconds, undefined);
      const locale = chooseOwnerPageLocale(request);
      return sendSecretPage(services, request, reply, {
        title: t(locale, 'app.webhooks.secret'),
        text: t(locale, 'app.webhooks.secretText'),
        secret,
        nextPath: getPath(request),
      });
    },
  );

  app.get(
    '/webhooks/:endpointId/delete',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: EndpointParams } },
    async (request, reply) => {
      const endpoint = await getOwnEndpoint(services, request);
      const locale = chooseOwnerPageLocale(request);
      return sendSettingsPage(services, request, reply, {
        tab: 'developers',
        title: t(locale, 'app.webhooks.delete'),
        isNarrow: true,
        body: renderDeletion({
          path: getPath(request),
          token: getPermittedFormToken(services, request, reply),
          endpoint,
          locale,
        }),
      });
    },
  );

  app.post(
    '/webhooks/:endpointId/delete',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_DELETED') },
      schema: { hide: true, params: EndpointParams, body: FormBody },
    },
    async (request, reply) => {
      await removeWebhookEndpoint(webhookServices, getRequestContext(request), getKey(request), undefined);
      return redirectWithDone(reply, getWebhooksPath(services, request), 'webhook-deleted');
    },
  );

  async function setEnabled(request: EndpointRequest, enabled: boolean): Promise<void> {
    const user = requireAuthenticatedUser(request);
    const context = getRequestContext(request);
    const { endpointId } = request.params;
    await changeWebhookEndpoint(webhookServices, context, user, endpointId, { enabled }, undefined);
  }

  async function sendEndpoint(
    request: EndpointRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const endpoint = await getOwnEndpoint(services, request);
    const locale = chooseOwnerPageLocale(request);
    const path = getPath(request);
    const listPath = getWebhooksPath(services, request);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: getEndpointTitle(endpoint),
      refused,
      body: html`${renderEndpoint({
        path,
        receiverPath: `${listPath}/receiver`,
        token: getPermittedFormToken(services, request, reply),
        endpoint,
        user: requireAuthenticatedUser(request),
        errors: refused.errors ?? [],
        locale,
      })}
${await renderDeliveryList(services, request, { path, endpoint, locale })}
<p><a href="${listPath}">${t(locale, 'app.webhooks.title')}</a></p>`,
    });
  }

  function sendForm(
    request: EndpointRequest,
    reply: FastifyReply,
    endpoint: WebhookEndpointView,
    values: Readonly<Record<string, string>>,
    refused: FormRefusal = {},
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const version = String(endpoint.version);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: getEndpointTitle(endpoint),
      isNarrow: true,
      refused,
      body: html`${renderEndpointForm({
        action: `${getPath(request)}/edit`,
        token: getPermittedFormToken(services, request, reply),
        submit: t(locale, 'app.content.save'),
        // After a conflict the next attempt replaces what is stored now.
        hidden: { version: refused.status === 412 ? version : (values.version ?? version) },
        values,
        errors: refused.errors ?? [],
        allowsLoopback: webhookServices.allowsLoopback,
        locale,
      })}<p><a href="${getPath(request)}">${t(locale, 'app.sheets.cancel')}</a></p>`,
    });
  }
};
