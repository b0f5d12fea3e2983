import type { Db } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { resolvePublicHost } from '../../shared/resolve-public-host.ts';
import type { MailOutbox } from '../mail/index.ts';
import { deleteExpiredEvents } from './event.repository.ts';
import { eventRoutes } from './events.routes.ts';
import type { EventObjectServices } from './read-event-object.ts';
import type { WebhookSenderOptions } from './send-webhook.ts';
import { recordDomainEvents } from './subscribe-events.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.routes.ts';
import { deleteExpiredDeliveries } from './webhook-delivery.repository.ts';
import { createWebhookDispatcher } from './webhook-dispatcher.ts';
import { findWebhookEndpoint } from './webhook-endpoint.repository.ts';
import { toWebhookEndpointView } from './webhook-endpoint.view.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.routes.ts';
import { addWebhooksToOpenApi } from './webhooks.openapi.ts';
import {
  AccountEvent,
  EventTypePattern,
  ReplayResult,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './webhooks.schemas.ts';

interface WebhookFeatureServices extends EventObjectServices {
  events: DomainEventBus;
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  createIdempotently: IdempotentHandler;
  log: { error(details: object, message: string): void };
}

const REQUEST_TIMEOUT_MS = 10_000;
const BATCH_SIZE = 5_000;

export const webhooksManifest: FeatureManifest = {
  refineOpenApiDocument: addWebhooksToOpenApi,
  name: 'webhooks',
  queues: [],
  schemas: [AccountEvent, ReplayResult, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret],
  repeatedSchemas: { EventTypePattern },
};

export function createWebhooksFeature(shared: WebhookFeatureServices) {
  const { database, events, config, eventObjects, fieldCipher } = shared;
  eventObjects.register('webhook_endpoint', async ({ accountId }, { id }) => {
    const row = await findWebhookEndpoint(database.client, accountId, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    return toWebhookEndpointView(fieldCipher, row);
  });
  const allowsLoopback = !config.production;
  const sender: WebhookSenderOptions = {
    allowsLoopback,
    timeoutMs: REQUEST_TIMEOUT_MS,
    resolveAddresses: (hostname) => resolvePublicHost(hostname),
  };
  const dispatcher = createWebhookDispatcher({ ...shared, sender });
  recordDomainEvents(events, dispatcher.wake);
  const services = { ...shared, dispatcher, allowsLoopback };
  const feature: Feature = {
    async plugin(app) {
      await app.register(webhookEndpointRoutes, { prefix: '/api/webhook-endpoints', ...services });
      await app.register(webhookDeliveryRoutes, { prefix: '/api/webhook-endpoints', ...services });
      await app.register(eventRoutes, { prefix: '/api/events', database });
    },
    cleanUp: [
      () => deleteInBatches(database.client, deleteExpiredEvents),
      () => deleteInBatches(database.client, deleteExpiredDeliveries),
    ],
  };
  return { feature, services: { webhookDispatcher: dispatcher, webhookSender: sender } };
}

async function deleteInBatches(
  db: Db,
  deleteExpired: (db: Db, before: Date, limit: number) => Promise<number>,
): Promise<void> {
  while (
    (await deleteExpired(db, getDateDaysAgo(LIFETIMES_SECONDS.accountEvent / DAY_SECONDS), BATCH_SIZE)) ===
    BATCH_SIZE
  );
}

export {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  verifyWebhookEndpoint,
} from './change-endpoint.use-case.ts';
export { createScanDeliveriesSql } from './event.repository.ts';
export { toEventView } from './event.view.ts';
export { EVENT_LIST_SORTS, listAccountEvents } from './list-account-events.ts';
export { webhooksPersonalData } from './personal-data.ts';
export { replayDelivery, replayEventsOfRange, sendTestEvent } from './replay-deliveries.use-case.ts';
export {
  DELIVERY_LIST_SORTS,
  findWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDeliveryRow,
} from './webhook-delivery.repository.ts';
export type { WebhookDispatcher } from './webhook-dispatcher.ts';
export {
  findWebhookEndpoint,
  listWebhookEndpoints,
  type WebhookEndpointRow,
} from './webhook-endpoint.repository.ts';
export { toWebhookDeliveryView, toWebhookEndpointView } from './webhook-endpoint.view.ts';
export type { WebhookServices } from './webhook-services.ts';
export { findWebhookUrlProblem } from './webhook-url.rules.ts';
export { DELIVERY_STATUSES, NewWebhookEndpoint } from './webhooks.schemas.ts';
