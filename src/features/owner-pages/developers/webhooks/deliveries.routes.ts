import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { getRequestContext } from '../../../../platform/request-context.ts';
import { auditAs } from '../../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../../shared/common.schemas.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { html } from '../../../../shared/html.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import {
  findWebhookDelivery,
  replayDelivery,
  replayEventsOfRange,
  sendTestEvent,
  toWebhookDeliveryView,
} from '../../../webhooks/index.ts';
import { formatListPath } from '../../cursor-pages.ts';
import { getPermittedFormToken } from '../../form-token.ts';
import { chooseOwnerPageLocale } from '../../layout.ts';
import type { OwnerPageServices } from '../../owner-page-services.ts';
import { type FormRefusal, redirectWithDone, sendSettingsPage } from '../../settings/settings-page.ts';
import { getDeliveryState, REPLAY_DAYS, renderDelivery, renderReplayForm } from './delivery-page.ts';
import type { DeliveryView } from './delivery-parts.ts';
import {
  describeWebhookRefusal,
  EndpointParams,
  type EndpointRequest,
  getEndpointPath,
  getEndpointTitle,
  getOwnEndpoint,
  getWebhookServices,
  WEBHOOK_ACCESS,
  WEBHOOK_PAGE_CONFIG,
} from './webhook-parts.ts';

const DeliveryParams = createIdParamsSchema('accountId', 'endpointId', 'eventId');

type DeliveryRequest = FastifyRequest<{
  Params: { accountId: string; endpointId: string; eventId: string };
}>;

/** What was sent to a webhook endpoint, tests, and sending again. */
export const webhookDeliveryPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;
  const webhookServices = getWebhookServices(services);
  const getPath = (request: EndpointRequest) => getEndpointPath(services, request);
  const getDeliveryPath = (request: DeliveryRequest) =>
    `${getPath(request)}/deliveries/${request.params.eventId}`;

  app.post(
    '/webhooks/:endpointId/test',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_TESTED') },
      schema: { hide: true, params: EndpointParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      try {
        const context = getRequestContext(request);
        const { event } = await sendTestEvent(webhookServices, context, request.params);
        return reply.redirect(`${getPath(request)}/deliveries/${event.id}`, 303);
      } catch (error) {
        const refused = describeWebhookRefusal(error, reply, chooseOwnerPageLocale(request));
        return sendRefusedTest(request, reply, refused);
      }
    },
  );

  app.get(
    '/webhooks/:endpointId/deliveries/:eventId',
    { config: WEBHOOK_PAGE_CONFIG, schema: { hide: true, params: DeliveryParams } },
    async (request, reply) => sendDelivery(request, reply),
  );

  app.get(
    '/webhooks/:endpointId/deliveries/:eventId/updates',
    {
      config: { ...WEBHOOK_PAGE_CONFIG, rateLimitClass: 'read' },
      schema: { hide: true, params: DeliveryParams },
    },
    async (request, reply) =>
      reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(getDeliveryState(await getDelivery(request))),
  );

  app.post(
    '/webhooks/:endpointId/deliveries/:eventId/replay',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_DELIVERIES_REPLAYED') },
      schema: { hide: true, params: DeliveryParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      try {
        await replayDelivery(webhookServices, getRequestContext(request), request.params);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        return sendDelivery(request, reply, describeWebhookRefusal(error, reply, locale));
      }
      return redirectWithDone(reply, getDeliveryPath(request), 'webhook-replayed');
    },
  );

  app.get(
    '/webhooks/:endpointId/replay',
    {
      config: WEBHOOK_PAGE_CONFIG,
      schema: {
        hide: true,
        params: EndpointParams,
        querystring: Type.Object({
          from: Type.Optional(Type.String()),
          includeDelivered: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => sendReplay(request, reply, request.query),
  );

  app.post(
    '/webhooks/:endpointId/replay',
    {
      config: { access: WEBHOOK_ACCESS, audit: auditAs('WEBHOOK_DELIVERIES_REPLAYED') },
      schema: {
        hide: true,
        params: EndpointParams,
        body: Type.Object({
          days: Type.Optional(Type.String()),
          from: Type.Optional(Type.String()),
          includeDelivered: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { body, params } = request;
      const days = REPLAY_DAYS.find((count) => String(count) === body.days) ?? REPLAY_DAYS[0];
      const from = parseMoment(body.from) ?? new Date(Date.now() - days * DAY_MS);
      const includesDelivered = body.includeDelivered !== undefined;
      try {
        const context = getRequestContext(request);
        const { nextFrom } = await replayEventsOfRange(
          webhookServices,
          context,
          params,
          { from },
          includesDelivered,
        );
        if (nextFrom !== null) {
          const next = { from: nextFrom, includeDelivered: includesDelivered ? '1' : undefined };
          return reply.redirect(formatListPath(`${getPath(request)}/replay`, next), 303);
        }
      } catch (error) {
        const refused = describeWebhookRefusal(error, reply, chooseOwnerPageLocale(request));
        return sendReplay(request, reply, body, refused);
      }
      return redirectWithDone(reply, getPath(request), 'webhook-replayed');
    },
  );

  /** @throws NOT_FOUND */
  async function getDelivery({ params }: DeliveryRequest): Promise<DeliveryView> {
    const row = await findWebhookDelivery(database.client, params);
    if (!row) throw new ServiceError('NOT_FOUND');
    return toWebhookDeliveryView(row);
  }

  async function sendDelivery(
    request: DeliveryRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const endpoint = await getOwnEndpoint(services, request);
    const delivery = await getDelivery(request);
    const locale = chooseOwnerPageLocale(request);
    const path = getPath(request);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: delivery.event.type,
      refused,
      body: html`${renderDelivery({
        path: getDeliveryPath(request),
        token: getPermittedFormToken(services, request, reply),
        endpoint,
        delivery,
        user: requireAuthenticatedUser(request),
        locale,
      })}
<p><a href="${path}"><bdi>${getEndpointTitle(endpoint)}</bdi></a></p>`,
    });
  }

  async function sendReplay(
    request: EndpointRequest,
    reply: FastifyReply,
    { from, includeDelivered }: { from?: string; includeDelivered?: string },
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    await getOwnEndpoint(services, request);
    const locale = chooseOwnerPageLocale(request);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: t(locale, 'app.webhooks.replay'),
      isNarrow: true,
      refused,
      body: renderReplayForm({
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        from: parseMoment(from),
        includesDelivered: includeDelivered !== undefined,
        user: requireAuthenticatedUser(request),
        locale,
      }),
    });
  }

  async function sendRefusedTest(
    request: EndpointRequest,
    reply: FastifyReply,
    refused: FormRefusal,
  ): Promise<FastifyReply> {
    const endpoint = await getOwnEndpoint(services, request);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: getEndpointTitle(endpoint),
      isNarrow: true,
      refused,
      body: html`<p><a class="act plain" href="${getPath(request)}">${t(chooseOwnerPageLocale(request), 'app.webhooks.back')}</a></p>`,
    });
  }
};

/** What is no moment is as if it were missing. */
function parseMoment(text: string | undefined): Date | null {
  const at = new Date(text ?? '');
  return Number.isFinite(at.getTime()) ? at : null;
}
