import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { WEBHOOK_SECRETS, WEBHOOK_URL } from './encrypted-endpoint.ts';
import { toEventView } from './event.view.ts';
import type { WebhookDeliveryRow } from './webhook-delivery.repository.ts';
import type { WebhookEndpointRow } from './webhook-endpoint.repository.ts';
import { listValidWebhookSecrets } from './webhook-signature.rules.ts';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  type WebhookDelivery,
  type WebhookEndpoint,
} from './webhooks.schemas.ts';

/** Convert an endpoint to its owner's view, without its secrets. @throws DATA_INTEGRITY */
export function toWebhookEndpointView(
  fieldCipher: FieldCipher,
  row: WebhookEndpointRow,
): Static<typeof WebhookEndpoint> {
  const secrets = listValidWebhookSecrets(WEBHOOK_SECRETS.decrypt(fieldCipher, row), new Date());
  const ends = secrets.flatMap(({ endsAt }) => endsAt ?? []);
  return {
    id: row.id,
    url: WEBHOOK_URL.decrypt(fieldCipher, row),
    eventTypes: row.eventTypes,
    include: row.includesObject ? 'object' : null,
    description: row.description,
    enabled: row.disabledAt === null,
    disabledReason: DISABLED_REASONS.find((reason) => reason === row.disabledReason) ?? null,
    verified: row.isVerified,
    failingSince: row.failingSince?.toISOString() ?? null,
    previousSecretExpiresAt: ends.toSorted().at(-1) ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Convert a delivery to the view of the endpoint's owner. */
export function toWebhookDeliveryView(row: WebhookDeliveryRow): Static<typeof WebhookDelivery> {
  return {
    event: toEventView(row.event),
    status: DELIVERY_STATUSES.find((status) => status === row.status) ?? 'FAILED',
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    attempts: row.attempts.map(({ response, ...attempt }) => ({
      ...attempt,
      error: DELIVERY_ERRORS.find((error) => error === attempt.error) ?? null,
      response: response
        ? { contentType: response.contentType, body: response.body, truncated: response.isTruncated }
        : null,
    })),
    createdAt: row.createdAt.toISOString(),
  };
}
