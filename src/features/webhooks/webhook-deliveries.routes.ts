import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Db } from '../../platform/database.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { LOCATION_HEADER } from '../../platform/openapi-headers.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createNamedPageSchema } from '../../shared/pagination.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { replayDelivery, replayEventsOfRange, sendTestEvent } from './replay-deliveries.use-case.ts';
import {
  DELIVERY_LIST_SORTS,
  findWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDeliveryRow,
} from './webhook-delivery.repository.ts';
import { findWebhookEndpoint } from './webhook-endpoint.repository.ts';
import { toWebhookDeliveryView } from './webhook-endpoint.view.ts';
import type { WebhookServices } from './webhook-services.ts';
import { DeliveryQuery, ReplayRequest, ReplayResult, WebhookDelivery } from './webhooks.schemas.ts';

const OWN_ACCESS = allowUsers('webhooks:own');
const ACCEPTED_DELIVERY = {
  description: 'The delivery, which is sent soon.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(WebhookDelivery) } },
};

export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<WebhookServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '/:id/test',
    {
      config: { access: OWN_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_TESTED'), storesResponse: true },
      schema: {
        operationId: 'webhookEndpoints.test',
        tags: ['Webhooks'],
        summary: 'Send a test event to a webhook endpoint',
        description:
          'To one that is not verified, its challenge. `Location` is the address of the delivery: read it to see the answer.',
        params: createIdParamsSchema('id'),
        response: { 202: ACCEPTED_DELIVERY, ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const key = getEndpointKey(request);
      const context = getRequestContext(request);
      return acceptDelivery(reply, key, await sendTestEvent(services, context, key));
    },
  );

  app.get(
    '/:id/deliveries',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'webhookEndpoints.listDeliveries',
        tags: ['Webhooks'],
        summary: 'List the deliveries of a webhook endpoint, newest event first',
        description: `They are kept for ${formatLifetime('accountEvent')}.`,
        params: createIdParamsSchema('id'),
        querystring: DeliveryQuery,
        response: { 200: createNamedPageSchema(WebhookDelivery, 'WebhookDeliveryPage') },
      },
    },
    async (request) => {
      const { status: statuses } = request.query;
      const range = parseListPage(request, DELIVERY_LIST_SORTS['-event']);
      const { accountId, id: endpointId } = await getOwnEndpoint(database.client, request);
      const page = { statuses, sort: '-event' as const, cursor: range.after?.id ?? null, take: range.take };
      const rows = await listWebhookDeliveries(database.client, { accountId, endpointId }, page);
      return toListPage(range, { rows }, toWebhookDeliveryView);
    },
  );

  app.get(
    '/:id/deliveries/:eventId',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'webhookEndpoints.getDelivery',
        tags: ['Webhooks'],
        summary: 'Get the delivery of an event to a webhook endpoint',
        description: 'With its last 20 attempts.',
        params: createIdParamsSchema('id', 'eventId'),
        response: { 200: schemaRef(WebhookDelivery) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const { id: endpointId, eventId } = request.params;
      const row = await findWebhookDelivery(database.client, { accountId, endpointId, eventId });
      if (!row || !(await findWebhookEndpoint(database.client, accountId, endpointId)))
        throw new ServiceError('NOT_FOUND');
      return toWebhookDeliveryView(row);
    },
  );

  app.post(
    '/:id/deliveries/:eventId/replay',
    {
      config: { access: OWN_ACCESS, audit: auditAs('WEBHOOK_DELIVERIES_REPLAYED'), storesResponse: true },
      schema: {
        operationId: 'webhookEndpoints.replayDelivery',
        tags: ['Webhooks'],
        summary: 'Replay an event to a webhook endpoint',
        description: 'Retries begin anew, whatever became of the delivery, whose address is in `Location`.',
        params: createIdParamsSchema('id', 'eventId'),
        response: { 202: ACCEPTED_DELIVERY, ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const key = { ...getEndpointKey(request), eventId: request.params.eventId };
      const context = getRequestContext(request);
      return acceptDelivery(reply, key, await replayDelivery(services, context, key));
    },
  );

  app.post(
    '/:id/replay',
    {
      config: { access: OWN_ACCESS, audit: auditAs('WEBHOOK_DELIVERIES_REPLAYED'), storesResponse: true },
      schema: {
        operationId: 'webhookEndpoints.replay',
        tags: ['Webhooks'],
        summary: 'Replay the events of a time range to a webhook endpoint',
        description:
          'Also those from before it existed, or while it was disabled. Oldest first, 10,000 events a request: continue at `nextFrom`.',
        params: createIdParamsSchema('id'),
        body: ReplayRequest,
        response: { 202: schemaRef(ReplayResult), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const { includeDelivered } = request.body;
      const range = {
        from: parseTimeRangeBound(request.body.from, timeZone),
        to: parseTimeRangeBound(request.body.to, timeZone),
      };
      const context = getRequestContext(request);
      const key = getEndpointKey(request);
      reply.code(202);
      return replayEventsOfRange(services, context, key, range, includeDelivered);
    },
  );
};

function acceptDelivery(
  reply: FastifyReply,
  { endpointId }: { endpointId: string },
  delivery: WebhookDeliveryRow,
) {
  const location = `/api/webhook-endpoints/${endpointId}/deliveries/${delivery.event.id}`;
  reply.code(202).header('Location', location);
  return toWebhookDeliveryView(delivery);
}

/** @throws NOT_FOUND */
async function getOwnEndpoint(db: Db, request: FastifyRequest<{ Params: { id: string } }>) {
  const { id: accountId } = requireAccount(request);
  const row = await findWebhookEndpoint(db, accountId, request.params.id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

function getEndpointKey(request: FastifyRequest<{ Params: { id: string } }>) {
  return { accountId: requireAccount(request).id, endpointId: request.params.id };
}
